import { readItem, writeItem } from "#app/site/storage.ts";

export const RATES = [0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

const STORAGE_KEY = "inkglade.listening";

/** More languages are not remembered. */
const MAX_LANGUAGES = 20;
const MAX_URI_LENGTH = 300;

export interface VoiceSettings {
  rate: number;
  /** The URI of the chosen voice for each language, by its primary subtag. */
  voices: ReadonlyMap<string, string>;
}

type Voice = Pick<SpeechSynthesisVoice, "voiceURI" | "lang" | "default" | "localService">;

/** Returns the first subtag of a language tag, in lower case: `en` for `en-GB` and Android's `en_GB`. */
export function getPrimaryLanguage(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? "";
}

/** Returns the voices of a language, and all others in the order of their languages. */
export function groupVoices<V extends Voice>(
  voices: readonly V[],
  language: string,
): { own: V[]; others: V[] } {
  const primary = getPrimaryLanguage(language);
  const isOwn = ({ lang }: V) => getPrimaryLanguage(lang) === primary;
  const others = voices.filter((voice) => !isOwn(voice));
  return {
    own: voices.filter(isOwn),
    others: others.toSorted((a, b) => (a.lang < b.lang ? -1 : Number(a.lang > b.lang))),
  };
}

/** Returns the user's voice for a language if there is one, otherwise the best; `undefined` leaves it to the browser. */
export function chooseVoice<V extends Voice>(
  voices: readonly V[],
  language: string,
  uri: string | undefined,
): V | undefined {
  const chosen = voices.find(({ voiceURI }) => voiceURI === uri);
  if (chosen) return chosen;
  const tag = language.toLowerCase();
  // A voice that is not on the device sends the text to its maker.
  const score = ({ lang, default: isDefault, localService }: V) => {
    const isExact = lang.toLowerCase().replaceAll("_", "-") === tag;
    return (localService ? 4 : 0) + (isExact ? 2 : 0) + (isDefault ? 1 : 0);
  };
  return groupVoices(voices, language).own.toSorted((a, b) => score(b) - score(a))[0];
}

/** Parses what this browser has stored. Replaces what is missing or invalid. */
export function parseVoiceSettings(text: string | null): VoiceSettings {
  const stored = parseObject(text);
  const rate = RATES.find((one) => one === stored.rate) ?? 1;
  const entries = Object.entries(toObject(stored.voices)).flatMap(([language, uri]) =>
    /^[a-z]{2,8}$/.test(language) && typeof uri === "string" && uri.length <= MAX_URI_LENGTH
      ? [[language, uri] as const]
      : [],
  );
  return { rate, voices: new Map(entries.slice(-MAX_LANGUAGES)) };
}

/** Returns the settings with another voice for a language. */
export function setVoice(settings: VoiceSettings, language: string, uri: string): VoiceSettings {
  const primary = getPrimaryLanguage(language);
  const others = [...settings.voices].filter(([other]) => other !== primary);
  return { ...settings, voices: new Map([...others, [primary, uri] as const]) };
}

export function readVoiceSettings(): VoiceSettings {
  return parseVoiceSettings(readItem(STORAGE_KEY));
}

export function writeVoiceSettings({ rate, voices }: VoiceSettings): void {
  const stored = { rate, voices: Object.fromEntries([...voices].slice(-MAX_LANGUAGES)) };
  writeItem(STORAGE_KEY, JSON.stringify(stored));
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text ?? "null"));
  } catch {
    return {};
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Some voices fire no events, so their state is checked this often. */
const CHECK_MS = 250;

/** How long to wait for a voice that has not started. */
const START_MS = 3000;

type Synthesis = Pick<
  SpeechSynthesis,
  "speaking" | "pending" | "paused" | "speak" | "cancel" | "resume"
>;

interface SpeakOptions {
  text: string;
  /** A language tag, or an empty text. */
  language: string;
  voice: SpeechSynthesisVoice | undefined;
  rate: number;
  /** How long a slow voice needs, in milliseconds. */
  duration: number;
  onEnd: () => void;
  /** @param isBlocked whether the browser wants the user to press something first */
  onFail: (isBlocked: boolean) => void;
}

/** Speaks a text, and calls one of two functions once, unless it is cancelled. Returns the function that cancels. */
export function speak(synthesis: Synthesis, options: SpeakOptions): () => void {
  const { text, language, voice, rate, duration, onEnd, onFail } = options;
  const startedAt = Date.now();
  let hasStarted = false;
  let isFinished = false;

  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = voice?.lang ?? language;
  utterance.voice = voice ?? null;
  utterance.rate = rate;
  utterance.onstart = () => void (hasStarted = true);
  utterance.onend = () => finish(onEnd);
  utterance.onerror = ({ error }) => finish(() => onFail(error === "not-allowed"));
  const timer = setInterval(check, CHECK_MS);

  function check() {
    const time = Date.now() - startedAt;
    const isSilent = !synthesis.speaking && !synthesis.pending;
    hasStarted ||= synthesis.speaking;
    if (isSilent && hasStarted) finish(onEnd);
    else if (isSilent && time >= START_MS) finish(() => onFail(false));
    // A voice that is stuck counts as speaking.
    else if (time >= START_MS + 3 * duration && !synthesis.paused) {
      finish(() => {
        synthesis.cancel();
        if (hasStarted) onEnd();
        else onFail(false);
      });
    }
  }

  function finish(callback: () => void) {
    if (isFinished) return;
    isFinished = true;
    clearInterval(timer);
    // Chrome fires no events for an utterance that was garbage collected, so this function holds it until now.
    utterance.onstart = utterance.onend = utterance.onerror = null;
    callback();
  }

  // The page before this one may have paused the voice.
  synthesis.resume();
  synthesis.speak(utterance);
  return () => finish(() => synthesis.cancel());
}
