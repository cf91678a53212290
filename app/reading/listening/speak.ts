/** Some voices fire no events, so their state is checked this often. */
const CHECK_MS = 250;

/** How long to wait for a voice that has not started. */
const START_MS = 3000;

type Synthesis = Pick<
  SpeechSynthesis,
  "speaking" | "pending" | "paused" | "speak" | "cancel" | "resume"
>;

export interface SpeakOptions {
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
