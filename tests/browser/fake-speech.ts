import type { Page } from "@playwright/test";

interface FakeVoice {
  name: string;
  lang: string;
}

export interface FakeSpeechOptions {
  /** The voices, which arrive after the page has asked for them. */
  voices?: FakeVoice[];
  /** How many milliseconds one second of speech takes. `Infinity` never ends. */
  speed?: number;
}

const VOICES = [
  { name: "Zeynep", lang: "tr-TR" },
  { name: "Arthur", lang: "en-GB" },
  { name: "Samantha", lang: "en-US" },
];

/**
 * Replaces the browser's voices with one that kills utterances after 14 seconds, as Chrome's do. It speaks 150 words in a
 * minute. `window.spoken` has the words that it has said, and `window.utterances` what it was told to say.
 */
export async function fakeSpeech(
  page: Page,
  { voices = VOICES, speed = 4 }: FakeSpeechOptions = {},
): Promise<void> {
  await page.addInitScript(install, {
    voices,
    // JSON has no Infinity.
    speed: Number.isFinite(speed) ? speed : null,
  });
}

interface InstallOptions {
  voices: FakeVoice[];
  speed: number | null;
}

/** Runs in the page. */
function install({ voices, speed }: InstallOptions): void {
  const WORD_SECONDS = 0.4;
  const KILL_SECONDS = 14;

  class Utterance extends EventTarget {
    lang = "";
    rate = 1;
    voice: FakeVoice | null = null;
    onstart?: (event: Event) => void;
    onend?: (event: Event) => void;
    onerror?: (event: Event) => void;

    text: string;

    constructor(text: string) {
      super();
      this.text = text;
      this.addEventListener("start", (event) => this.onstart?.(event));
      this.addEventListener("end", (event) => this.onend?.(event));
      this.addEventListener("error", (event) => this.onerror?.(event));
    }
  }

  const spoken: string[] = [];
  const utterances: object[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let available: object[] = [];

  const synthesis = Object.assign(new EventTarget(), {
    speaking: false,
    pending: false,
    // A voice that never ends would count as stuck when a test changes the time.
    paused: speed === null,
    resume() {},
    pause() {
      throw new Error("Not every browser can pause");
    },
    getVoices() {
      if (available.length === 0 && voices.length > 0) {
        setTimeout(() => {
          available = voices.map((voice) => ({ ...voice, voiceURI: `uri:${voice.name}` }));
          synthesis.dispatchEvent(new Event("voiceschanged"));
        }, 50);
      }
      return available;
    },
    cancel() {
      clearTimeout(timer);
      synthesis.speaking = false;
    },
    speak(utterance: Utterance) {
      const { text, lang, rate, voice } = utterance;
      utterances.push({ text, lang, rate, voice: voice?.name ?? null });
      if (voices.length === 0) return;
      const words = text.split(/\s+/);
      const seconds = (words.length * WORD_SECONDS) / rate;
      synthesis.speaking = true;
      utterance.dispatchEvent(new Event("start"));
      if (speed === null) return;
      timer = setTimeout(
        () => {
          const isKilled = seconds > KILL_SECONDS;
          const share = isKilled ? KILL_SECONDS / seconds : 1;
          spoken.push(...words.slice(0, Math.floor(words.length * share)));
          synthesis.speaking = false;
          utterance.dispatchEvent(new Event("end"));
        },
        Math.min(seconds, KILL_SECONDS) * speed,
      );
    },
  });
  Object.defineProperty(window, "speechSynthesis", { value: synthesis });
  Object.assign(window, { SpeechSynthesisUtterance: Utterance, spoken, utterances });
}

export interface FakeUtterance {
  text: string;
  lang: string;
  rate: number;
  voice: string | null;
}

/** Returns what the voice was told to say. */
export async function getUtterances(page: Page): Promise<FakeUtterance[]> {
  return page.evaluate(() => Reflect.get(window, "utterances"));
}

/** Returns the words that the voice has said. */
export async function getSpokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, "spoken"));
}

/** Ends the current utterance of a voice that never ends. */
export async function endUtterance(page: Page): Promise<void> {
  await page.evaluate(() => speechSynthesis.cancel());
}
