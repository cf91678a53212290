import { useCallback, useEffect, useReducer, useRef, useState, type RefObject } from "react";

import type { TextPosition } from "#app/reading/positions/text-map.ts";
import type { ReadingData } from "#app/reading/reading-data.ts";
import {
  createFollower,
  findFirstInView,
  findLanguage,
  findParagraphs,
  findSelected,
  highlight,
  readSpokenText,
  toRange,
} from "./text-view.ts";
import { getUtterance, reduceListening, startListening, type SleepTimer } from "./listening.ts";
import { getSpeakingTime } from "./spoken-text.ts";
import {
  speak,
  chooseVoice,
  getPrimaryLanguage,
  readVoiceSettings,
  setVoice,
  writeVoiceSettings,
  type VoiceSettings,
} from "./voices.ts";

/** When to look for voices again: not every browser says that they have arrived. */
const VOICES_MS = 1000;

export interface ListeningOptions {
  story: Pick<ReadingData, "title" | "author" | "version">;
  /** The element around the text. */
  text: RefObject<HTMLElement>;
  /** Called with where the voice is, and with `null` when it stops. */
  onVoice: (position: TextPosition | null) => void;
}

/** Reads a text aloud from the selection or the first sentence in view, and scrolls along. */
export function useListening({ story, text: root, onVoice }: ListeningOptions) {
  const [settings, setSettings] = useState(readVoiceSettings);
  const [language] = useState(() => (root.current ? findLanguage(root.current) : ""));
  const [listening, dispatch] = useReducer(reduceListening, null, () => {
    const element = root.current ?? document.body;
    const text = readSpokenText(element, language);
    const position = findSelected(element, text) ?? findFirstInView(element, text);
    return startListening(text, position, settings.rate);
  });
  const voices = useVoices();
  const voice = chooseVoice(voices, language, settings.voices.get(getPrimaryLanguage(language)));
  const [isFollowing, setIsFollowing] = useState(true);
  const { text, isPlaying, stopReason, utterance: id } = listening;
  const utterance = getUtterance(listening);
  const { number = -1, start = 0, end = 0, sentence } = utterance ?? {};
  const sentenceStart = sentence?.start ?? 0;
  const sentenceEnd = sentence?.end ?? 0;

  const latest = useRef({ listening, voice });
  useEffect(() => {
    latest.current = { listening, voice };
  });

  useEffect(() => {
    const { listening: now, voice: chosen } = latest.current;
    const spoken = isPlaying ? getUtterance(now) : undefined;
    if (!spoken) return undefined;
    const words = now.text.paragraphs[spoken.number]?.text.slice(spoken.start, spoken.end) ?? "";
    return speak(speechSynthesis, {
      text: words.trim(),
      language,
      voice: chosen,
      rate: now.rate,
      duration: getSpeakingTime(words, now.rate),
      onEnd: () => dispatch({ type: "ended", utterance: id, now: Date.now() }),
      onFail: (isBlocked) => {
        const isVoiceless = speechSynthesis.getVoices().length === 0;
        const reason = isBlocked ? "blocked" : isVoiceless ? "voiceless" : null;
        dispatch({ type: "failed", utterance: id, stopReason: reason });
      },
    });
  }, [isPlaying, id, language]);

  useEffect(() => {
    if (isPlaying && number >= 0) onVoice({ number, offset: sentenceStart });
    if (isPlaying) return;
    if (stopReason === "finished") onVoice(getEnd(latest.current.listening.text.paragraphs));
    onVoice(null);
  }, [isPlaying, stopReason, number, sentenceStart, onVoice]);

  useEffect(() => () => onVoice(null), [onVoice]);

  // The text may be the same, but in other elements.
  const version = useRef(story.version);
  useEffect(() => {
    if (!root.current || version.current === story.version) return;
    version.current = story.version;
    dispatch({ type: "revise", text: readSpokenText(root.current, language) });
  }, [story.version, root, language]);

  useEffect(() => {
    const paragraph = root.current && findParagraphs(root.current)[number];
    if (!paragraph) return undefined;
    return highlight(paragraph, { start: sentenceStart, end: sentenceEnd });
  }, [text, root, number, sentenceStart, sentenceEnd]);

  const follower = useRef<ReturnType<typeof createFollower>>();
  useEffect(() => {
    const created = createFollower(() => setIsFollowing(false));
    follower.current = created;
    return () => created.stop();
  }, []);

  useEffect(() => {
    const paragraph = root.current && findParagraphs(root.current)[number];
    if (!paragraph || !isFollowing) return undefined;
    const show = () => follower.current?.show(toRange(paragraph, { start, end }));
    show();
    // Sections that come into view are laid out, which may move the words.
    const frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [text, root, number, start, end, isFollowing]);

  useEffect(() => {
    function stop() {
      dispatch({ type: "pause" });
      // Some browsers go on speaking for a page that is gone, which no longer renders.
      speechSynthesis.cancel();
    }
    addEventListener("pagehide", stop);
    return () => removeEventListener("pagehide", stop);
  }, []);

  const play = useCallback(() => {
    setIsFollowing(true);
    dispatch({ type: "play", now: Date.now() });
  }, []);
  const pause = useCallback(() => dispatch({ type: "pause" }), []);
  const skip = useCallback((by: 1 | -1) => {
    setIsFollowing(true);
    dispatch({ type: "skip", by });
  }, []);
  useMediaSession(story, isPlaying, { play, pause, skip });

  function goTo(position: TextPosition) {
    setIsFollowing(true);
    dispatch({ type: "goTo", position });
    dispatch({ type: "play", now: Date.now() });
  }

  function changeSettings(next: VoiceSettings) {
    setSettings(next);
    writeVoiceSettings(next);
  }

  return {
    listening,
    language,
    voices,
    voice,
    isFollowing,
    hasChapters: text.paragraphs.some(({ isChapter }) => isChapter),
    play,
    pause,
    skip,
    backToVoice: () => setIsFollowing(true),
    goTo,
    /** Continues at the selection, if there is one in the text. */
    goToSelection: () => {
      const position = root.current ? findSelected(root.current, text) : undefined;
      if (position) goTo(position);
    },
    changeRate: (rate: number) => {
      changeSettings({ ...settings, rate });
      dispatch({ type: "setRate", rate });
    },
    changeVoice: (uri: string) => {
      changeSettings(setVoice(settings, language, uri));
      dispatch({ type: "changeVoice" });
    },
    changeTimer: (timer: SleepTimer | null) => dispatch({ type: "setTimer", timer }),
  };
}

function getEnd(paragraphs: readonly { text: string }[]): TextPosition {
  return { number: paragraphs.length - 1, offset: paragraphs.at(-1)?.text.length ?? 0 };
}

/** Returns the browser's voices, which may arrive later. */
function useVoices(): readonly SpeechSynthesisVoice[] {
  const [voices, setVoices] = useState(() => speechSynthesis.getVoices());

  useEffect(() => {
    const update = () => setVoices(speechSynthesis.getVoices());
    const timer = setTimeout(update, VOICES_MS);
    speechSynthesis.addEventListener("voiceschanged", update);
    return () => {
      clearTimeout(timer);
      speechSynthesis.removeEventListener("voiceschanged", update);
    };
  }, []);

  return voices;
}

interface MediaControls {
  play: () => void;
  pause: () => void;
  skip: (by: 1 | -1) => void;
}

/** Lets the device's media keys control the voice, where the browser supports it. */
function useMediaSession(
  { title, author }: { title: string; author: string },
  isPlaying: boolean,
  { play, pause, skip }: MediaControls,
): void {
  useEffect(() => {
    if (!("mediaSession" in navigator)) return undefined;
    const { mediaSession } = navigator;
    const handlers: [MediaSessionAction, () => void][] = [
      ["play", play],
      ["pause", pause],
      ["stop", pause],
      ["nexttrack", () => skip(1)],
      ["previoustrack", () => skip(-1)],
    ];
    mediaSession.metadata = new MediaMetadata({ title, artist: author });
    for (const [action, handle] of handlers) mediaSession.setActionHandler(action, handle);
    return () => {
      mediaSession.metadata = null;
      mediaSession.playbackState = "none";
      for (const [action] of handlers) mediaSession.setActionHandler(action, null);
    };
  }, [title, author, play, pause, skip]);

  useEffect(() => {
    if ("mediaSession" in navigator) {
      navigator.mediaSession.playbackState = isPlaying ? "playing" : "paused";
    }
  }, [isPlaying]);
}
