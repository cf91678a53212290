import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  getUtterance,
  reduceListening,
  startListening,
  type Listening,
  type ListeningEvent,
} from "#app/reading/listening/listening.ts";
import {
  getCost,
  getMaxCost,
  getSpeakingTime,
  createSpokenText,
} from "#app/reading/listening/spoken-text.ts";
import { RATES } from "#app/reading/listening/voices.ts";

const START = { number: 0, offset: 0 };

const WORDS = "The rain, “Stop!” stopped. Mr. Who? no; 1984 時計。 は🙂 — … ( ) été ไม่ \n".split(
  " ",
);

/** Words without the end of a sentence. */
const LONG_WORDS = "and the lamplighters, 1984 が 🙂 e\u0301te\u0301 — ".split(" ");

const paragraphArbitrary = fc
  .oneof(
    fc.array(fc.constantFrom(...WORDS), { maxLength: 60, size: "max" }),
    fc.array(fc.constantFrom(...LONG_WORDS), { maxLength: 200, size: "max" }),
  )
  .chain((words) => fc.constantFrom(words.join(" "), words.join("")));

const textArbitrary = fc.array(paragraphArbitrary, { minLength: 1, maxLength: 6 }).map(createText);

const eventArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("ended"), late: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("failed"), late: fc.nat(2) }) },
  fc.record({ type: fc.constantFrom("play", "pause", "changeVoice", "revise") }),
  fc.record({ type: fc.constant("setRate"), rate: fc.constantFrom(...RATES) }),
);

test("every word is spoken once and in order, whatever happens meanwhile", () => {
  fc.assert(
    fc.property(
      textArbitrary,
      fc.array(eventArbitrary, { maxLength: 60, size: "max" }),
      (text, steps) => {
        let listening = startListening(text, START, 1);
        let spoken = "";
        function send(event: ListeningEvent) {
          const utterance = getUtterance(listening);
          const next = reduceListening(listening, event);
          const isSpoken =
            event.type === "ended" &&
            event.utterance === listening.utterance &&
            listening.isPlaying;
          if (isSpoken && utterance) {
            const words = text.paragraphs[utterance.number]?.text ?? "";
            spoken += words.slice(utterance.start, utterance.end);
          }
          listening = next;
        }
        for (const step of steps) {
          if (listening.stopReason === "finished") break;
          send(toEvent(listening, step));
        }
        for (let count = 0; listening.stopReason !== "finished" && count < 1000; count += 1) {
          send({ type: "play", now: 0 });
          send({ type: "ended", utterance: listening.utterance, now: 0 });
        }
        expect(listening.stopReason).toBe("finished");
        const whole = text.paragraphs.map((paragraph) => paragraph.text).join("");
        expect(toWords(spoken)).toBe(toWords(whole));
      },
    ),
  );
});

test("no utterance takes longer than 12 seconds, and a failed one is repeated in smaller parts", () => {
  fc.assert(
    fc.property(textArbitrary, fc.constantFrom(...RATES), (text, rate) => {
      let listening = startListening(text, START, rate);
      for (let utterance = getUtterance(listening); utterance;) {
        const words = text.paragraphs[utterance.number]?.text ?? "";
        const part = words.slice(utterance.start, utterance.end);
        expect(getCost(part)).toBeLessThanOrEqual(getMaxCost(rate));
        expect(getSpeakingTime(part, rate)).toBeLessThanOrEqual(12_000);
        const { utterance: id } = listening;
        const failed = reduceListening(listening, {
          type: "failed",
          utterance: id,
          stopReason: null,
        });
        const again = getUtterance(failed);
        expect(again?.start).toBe(utterance.start);
        expect(again?.end).toBeLessThanOrEqual(utterance.end);
        listening = reduceListening(listening, { type: "ended", utterance: id, now: 0 });
        utterance = getUtterance(listening);
      }
    }),
  );
});

test("Play after Pause repeats the sentence from where its utterance began", () => {
  const listening = play(createText(["One is short. Two is short too. Three."]), "ended");
  const paused = reduceListening(listening, { type: "pause" });
  const late = reduceListening(paused, { type: "ended", utterance: listening.utterance, now: 0 });
  const playing = reduceListening(late, { type: "play", now: 0 });
  expect(getWords(playing)).toBe("Two is short too. ");
  expect(playing.utterance).not.toBe(listening.utterance);
});

test("goes to the next and previous sentence, across paragraphs without words", () => {
  const text = createText(["One. Two.", "* * *", "Three."]);
  let listening = startListening(text, START, 1);
  const said = [getWords(listening)];
  for (const by of [-1, 1, 1, 1, -1, -1, -1] as const) {
    listening = reduceListening(listening, { type: "skip", by });
    said.push(getWords(listening));
  }
  expect(said).toEqual(["One. ", "One. ", "Two.", "Three.", "Three.", "Two.", "One. ", "One. "]);
});

test("the sleep timer stops before the first sentence after its time, and is off then", () => {
  const long = `${"So the evening went on, and on, ".repeat(10)}until it ended.`;
  const timer = { minutes: 15, at: 1000 };
  let listening = reduceListening(startListening(createText([`${long} Then.`]), START, 1), {
    type: "setTimer",
    timer,
  });
  listening = end(listening, 999);
  // Not in the middle of a sentence.
  while (getWords(listening) !== "Then.") {
    expect(listening.isPlaying).toBe(true);
    listening = end(listening, 2000);
  }
  expect(listening).toMatchObject({ isPlaying: false, stopReason: "asleep", timer: null });
});

test("a sleep timer whose time has passed during a pause is off", () => {
  const started = startListening(createText(["One. Two. Three."]), START, 1);
  const timer = { minutes: 15, at: 1000 };
  const paused = reduceListening(reduceListening(started, { type: "setTimer", timer }), {
    type: "pause",
  });
  const playing = reduceListening(paused, { type: "play", now: 2000 });
  expect(end(playing, 3000)).toMatchObject({ isPlaying: true, timer: null });
});

test("the sleep timer stops at the end of the chapter", () => {
  const text = createText(["# One", "Words.", "More.", "# Two", "Words."]);
  let listening = reduceListening(startListening(text, START, 1), {
    type: "setTimer",
    timer: "chapter",
  });
  for (const words of ["One", "Words.", "More."]) {
    expect(getWords(listening)).toBe(words);
    expect(listening.isPlaying).toBe(true);
    listening = end(listening, 0);
  }
  expect(listening).toMatchObject({ isPlaying: false, stopReason: "asleep", timer: null });
  expect(getWords(listening)).toBe("Two");
});

test("stops after three failures in a row, and Play tries again", () => {
  let listening = play(createText(["One. Two."]), "failed", "failed");
  expect(listening.isPlaying).toBe(true);
  listening = end(listening, 0);
  const failing = ["failed", "failed", "failed"] as const;
  for (const type of failing) {
    const { utterance } = listening;
    listening = reduceListening(listening, { type, utterance, stopReason: null });
  }
  expect(listening).toMatchObject({ isPlaying: false, stopReason: "failed" });
  expect(reduceListening(listening, { type: "play", now: 0 })).toMatchObject({ isPlaying: true });
});

test("stops at once when the browser wants a press first", () => {
  const { utterance, ...listening } = startListening(createText(["One."]), START, 1);
  const blocked = reduceListening(
    { ...listening, utterance },
    { type: "failed", utterance, stopReason: "blocked" },
  );
  expect(blocked).toMatchObject({ isPlaying: false, stopReason: "blocked" });
});

test("the end of the story stops the voice, and Play begins again", () => {
  const finished = play(createText(["One.", "Two."]), "ended", "ended");
  expect(finished).toMatchObject({ isPlaying: false, stopReason: "finished" });
  expect(getWords(reduceListening(finished, { type: "play", now: 0 }))).toBe("One.");
});

test("a revision elsewhere does not interrupt the sentence", () => {
  const listening = play(createText(["One.", "Two. Three."]), "ended", "ended");
  const text = createText(["New.", "One.", "Two. Three.", "Four."]);
  const revised = reduceListening(listening, { type: "revise", text });
  expect(revised.utterance).toBe(listening.utterance);
  expect(getWords(revised)).toBe("Three.");
  expect(getWords(end(revised, 0))).toBe("Four.");
});

test("a revision of the spoken paragraph continues with the next one that is left", () => {
  const listening = play(createText(["One.", "Two.", "Three.", "Four."]), "ended");
  const revise = (...paragraphs: string[]) =>
    reduceListening(listening, { type: "revise", text: createText(paragraphs) });
  expect(getWords(revise("One.", "New.", "Four."))).toBe("Four.");
  expect(getWords(revise("One.", "New.", "Old."))).toBe("New.");
  expect(getWords(revise("New.", "Old."))).toBe("New.");
  expect(revise("One.")).toMatchObject({ isPlaying: false, stopReason: "finished" });
  expect(revise()).toMatchObject({ isPlaying: false, stopReason: "finished" });
});

/** Paragraphs that begin with "# " are headings of chapters. */
function createText(paragraphs: readonly string[]) {
  return createSpokenText(
    paragraphs.map((text) => {
      const words = text.replace(/^# /, "");
      return { id: `p-${words}`, text: words, isChapter: words !== text };
    }),
    "en",
  );
}

function play(text: ReturnType<typeof createText>, ...types: ("ended" | "failed")[]): Listening {
  return types.reduce(
    (listening, type) => {
      const { utterance } = listening;
      return reduceListening(
        listening,
        type === "ended" ? { type, utterance, now: 0 } : { type, utterance, stopReason: null },
      );
    },
    startListening(text, START, 1),
  );
}

function end(listening: Listening, now: number): Listening {
  return reduceListening(listening, { type: "ended", utterance: listening.utterance, now });
}

function getWords(listening: Listening): string | undefined {
  const found = getUtterance(listening);
  return found && listening.text.paragraphs[found.number]?.text.slice(found.start, found.end);
}

function toEvent(
  { utterance: current, text }: Listening,
  { type, late = 0, rate = 1 }: { type: string; late?: number; rate?: number },
): ListeningEvent {
  const utterance = current - late;
  if (type === "ended") return { type, utterance, now: 0 };
  if (type === "failed") return { type, utterance, stopReason: null };
  if (type === "setRate") return { type, rate };
  if (type === "revise") return { type, text };
  if (type === "play") return { type, now: 0 };
  return type === "pause" ? { type } : { type: "changeVoice" };
}

/** Returns what a voice says of a text. */
function toWords(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{S}]/gu, "");
}
