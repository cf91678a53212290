import type { TextPosition } from "#app/reading/positions/text-map.ts";
import {
  getMaxCost,
  findNextSentence,
  findPreviousSentence,
  findRevised,
  findUtterance,
  type SpokenText,
  type Utterance,
} from "./spoken-text.ts";

/** After so many failures in a row the voice stops. */
const MAX_FAILURES = 3;

/** When the voice stops by itself: at the next chapter, or at the first sentence after a time. */
export type SleepTimer = "chapter" | { minutes: number; at: number };

/** Why the voice does not speak. */
export type StopReason = "finished" | "asleep" | "blocked" | "voiceless" | "failed";

export interface Listening {
  text: SpokenText;
  isPlaying: boolean;
  /** Where the voice is, or continues after a pause: the beginning of an utterance. */
  position: TextPosition;
  /** Counts the utterances. An event of an earlier one comes too late. */
  utterance: number;
  rate: number;
  timer: SleepTimer | null;
  /** How often the voice has failed since it last spoke. */
  failures: number;
  /** Why the voice has stopped by itself. */
  stopReason: StopReason | null;
}

export type ListeningEvent =
  | { type: "play"; now: number }
  | { type: "pause" }
  | { type: "ended"; utterance: number; now: number }
  /** Without a reason the voice tries again. */
  | { type: "failed"; utterance: number; stopReason: StopReason | null }
  | { type: "skip"; by: 1 | -1 }
  | { type: "goTo"; position: TextPosition }
  | { type: "setRate"; rate: number }
  | { type: "changeVoice" }
  | { type: "setTimer"; timer: SleepTimer | null }
  | { type: "revise"; text: SpokenText };

export function startListening(text: SpokenText, position: TextPosition, rate: number): Listening {
  const initial = { isPlaying: true, utterance: 1, timer: null, failures: 0, stopReason: null };
  return { ...initial, text, position, rate };
}

/** Returns what the voice says now, or says next after a pause; `undefined` at the end of the text. */
export function getUtterance(listening: Listening): Utterance | undefined {
  const { text, position, rate, failures } = listening;
  // A voice that is slower than expected may succeed with less.
  return findUtterance(text, position, getMaxCost(rate) / 2 ** failures);
}

/** Returns the state after an event. The same state means that nothing is to be done. */
export function reduceListening(listening: Listening, event: ListeningEvent): Listening {
  const { text, isPlaying, position, utterance, timer } = listening;
  const isLate = "utterance" in event && (!isPlaying || event.utterance !== utterance);
  if (isLate) return listening;
  switch (event.type) {
    case "play": {
      if (isPlaying) return listening;
      const isPast = typeof timer === "object" && timer !== null && event.now >= timer.at;
      const isAtEnd = !getUtterance(listening);
      const start = isAtEnd ? { number: 0, offset: 0 } : position;
      return restart({ ...listening, isPlaying: true, timer: isPast ? null : timer }, start);
    }
    case "pause":
      return isPlaying ? stop(listening, null) : listening;
    case "ended":
      return continueAfter(listening, event.now);
    case "failed": {
      const failures = listening.failures + 1;
      if (event.stopReason) return stop(listening, event.stopReason);
      if (failures >= MAX_FAILURES) return stop(listening, "failed");
      return { ...restart(listening, position), failures };
    }
    case "skip": {
      const find = event.by > 0 ? findNextSentence : findPreviousSentence;
      const found = find(text, position);
      return found ? restart(listening, found) : listening;
    }
    case "goTo":
      return restart(listening, event.position);
    case "setRate":
      return restart({ ...listening, rate: event.rate }, position);
    case "changeVoice":
      return restart(listening, position);
    case "setTimer":
      return { ...listening, timer: event.timer };
    case "revise": {
      const revised = { ...listening, text: event.text };
      const found = findRevised(text, event.text, position);
      if (found.isSame) return { ...revised, position: found.position };
      const moved = restart(revised, found.position);
      return isPlaying && !getUtterance(moved) ? stop(moved, "finished") : moved;
    }
  }
}

/** Continues at a position, after a pause or at once. */
function restart(listening: Listening, position: TextPosition): Listening {
  const utterance = listening.utterance + 1;
  return { ...listening, position, utterance, failures: 0, stopReason: null };
}

function stop(listening: Listening, stopReason: StopReason | null): Listening {
  return { ...restart(listening, listening.position), isPlaying: false, stopReason };
}

function continueAfter(listening: Listening, now: number): Listening {
  const { text, timer } = listening;
  const spoken = getUtterance(listening);
  if (!spoken) return stop(listening, "finished");
  const after = { number: spoken.number, offset: spoken.end };
  const moved = restart(listening, after);
  const next = getUtterance(moved);
  if (!next) return stop(moved, "finished");
  const continued = { ...moved, position: { number: next.number, offset: next.start } };
  const isAsleep =
    timer === "chapter"
      ? text.paragraphs.slice(spoken.number + 1, next.number + 1).some((one) => one.isChapter)
      : timer !== null && now >= timer.at && next.start === next.sentence.start;
  return isAsleep ? { ...stop(continued, "asleep"), timer: null } : continued;
}
