import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";

import { Button } from "#app/ui/button.tsx";
import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { chooseParagraph } from "./text-view.ts";
import type { SleepTimer, StopReason } from "./listening.ts";
import styles from "./player.module.css";
import { useListening, type ListeningOptions } from "./use-listening.ts";
import { groupVoices, RATES } from "./voices.ts";

// Browsers load their voices when they are first asked for them.
speechSynthesis.getVoices();

export interface PlayerProps extends ListeningOptions {
  /** Whether to focus the player. */
  takesFocus: boolean;
  onClose: () => void;
}

const ICONS = {
  play: "M6 4v12l10-6Z",
  pause: "M6.5 4v12M13.5 4v12",
  previous: "M15 4.5v11L7.5 10ZM5 4.5v11",
  next: "M5 4.5v11l7.5-5.5ZM15 4.5v11",
  options:
    "M3 6h7M14 6h3M10 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0ZM3 14h3M10 14h7M6 14a2 2 0 1 0 4 0 2 2 0 0 0-4 0Z",
};

const REASONS: Record<StopReason, string> = {
  finished: "End of the story.",
  asleep: "Stopped by the sleep timer.",
  blocked: "Press Play to start.",
  voiceless: "This browser has no voices, so it can't read aloud.",
  failed: "The voice doesn't respond. Press Play to try again, or choose another voice.",
};

const CHOOSE = "Press a paragraph, or choose one with ↑ and ↓ and press Enter.";

const MINUTES = [15, 30, 60];

/** Reads a story aloud with the browser's voices, from when it appears. */
export function Player({ takesFocus, onClose, ...options }: PlayerProps) {
  const { text } = options;
  const player = useRef<HTMLFieldSetElement>(null);
  const playButton = useRef<HTMLButtonElement>(null);
  const controls = useListening(options);
  const { listening, isFollowing, language, voices, voice } = controls;
  const { isPlaying, stopReason, timer, rate } = listening;
  const [hasOptions, setHasOptions] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const hasSelection = useHasSelection(text);
  const optionsId = useId();
  useHeight(player);

  useEffect(() => {
    if (takesFocus) playButton.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const choice = useRef({ choose: controls.goTo });
  useEffect(() => {
    choice.current = { choose: controls.goTo };
  });
  useEffect(() => {
    if (!isChoosing || !text.current) return undefined;
    const stop = () => {
      setIsChoosing(false);
      // Otherwise the focus would be lost with the paragraph's.
      playButton.current?.focus({ preventScroll: true });
    };
    return chooseParagraph(text.current, {
      onChoose: (number) => {
        choice.current.choose({ number, offset: 0 });
        stop();
      },
      onCancel: stop,
    });
  }, [isChoosing, text]);

  function close() {
    const tool =
      player.current?.parentElement?.querySelector<HTMLElement>("[data-listen] > button");
    tool?.focus({ preventScroll: true });
    onClose();
  }

  function backToVoice() {
    controls.backToVoice();
    // Its own button disappears.
    playButton.current?.focus({ preventScroll: true });
  }

  const status = isChoosing ? CHOOSE : stopReason && REASONS[stopReason];
  return (
    <fieldset ref={player} className={styles.player} aria-label="Player">
      <p aria-live="polite">{status}</p>
      {isFollowing || isChoosing ? null : (
        <Button variant="quiet" className={styles.back} onPress={backToVoice}>
          Back to the voice
        </Button>
      )}
      <div className={styles.buttons}>
        <PlayerButton label="Previous sentence" icon="previous" onPress={() => controls.skip(-1)} />
        <button
          ref={playButton}
          type="button"
          className={`${iconButton.button} ${styles.play}`}
          aria-label={isPlaying ? "Pause" : "Play"}
          data-play
          onClick={isPlaying ? controls.pause : controls.play}
        >
          <Icon path={isPlaying ? ICONS.pause : ICONS.play} />
        </button>
        <PlayerButton label="Next sentence" icon="next" onPress={() => controls.skip(1)} />
        <PlayerButton
          label="Options"
          icon="options"
          className={styles.toggle}
          aria-expanded={hasOptions}
          aria-controls={optionsId}
          onPress={() => setHasOptions(!hasOptions)}
        />
        <button
          type="button"
          className={iconButton.button}
          aria-label="Stop listening"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div id={optionsId} className={styles.options} data-open={hasOptions || undefined}>
        <Select
          label="Speed"
          value={String(rate)}
          onChange={(one) => controls.changeRate(Number(one))}
        >
          {RATES.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </Select>
        {voices.length > 0 ? (
          <Select label="Voice" value={voice?.voiceURI ?? ""} onChange={controls.changeVoice}>
            {voice ? null : <option value="">Default</option>}
            <VoiceOptions voices={voices} language={language} />
          </Select>
        ) : null}
        <Select
          label="Sleep timer"
          value={toTimerValue(timer)}
          onChange={(value) => controls.changeTimer(readTimer(value, Date.now()))}
        >
          <option value="">Off</option>
          {controls.hasChapters ? <option value="chapter">End of chapter</option> : null}
          {MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes} minutes
            </option>
          ))}
        </Select>
        <Button
          variant="quiet"
          className={styles.choose}
          aria-pressed={hasSelection ? undefined : isChoosing}
          // Otherwise pressing the button would clear the selection.
          onPointerDown={(event) => event.preventDefault()}
          onPress={() => (hasSelection ? controls.goToSelection() : setIsChoosing(!isChoosing))}
        >
          {hasSelection ? "Listen from selection" : "Choose paragraph"}
        </Button>
      </div>
    </fieldset>
  );
}

interface PlayerButtonProps {
  label: string;
  icon: keyof typeof ICONS;
  className?: string | undefined;
  "aria-expanded"?: boolean;
  "aria-controls"?: string;
  onPress: () => void;
}

function PlayerButton({ label, icon, className = "", onPress, ...props }: PlayerButtonProps) {
  return (
    <button
      {...props}
      type="button"
      className={`${iconButton.button} ${className}`}
      aria-label={label}
      onClick={onPress}
    >
      <Icon path={ICONS[icon]} />
    </button>
  );
}

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </label>
  );
}

interface VoiceOptionsProps {
  voices: readonly SpeechSynthesisVoice[];
  language: string;
}

/** The voices of the text's language come first. */
function VoiceOptions({ voices, language }: VoiceOptionsProps) {
  const { own, others } = groupVoices(voices, language);
  const groups = [
    { label: "This language", voices: own },
    { label: "Other languages", voices: others },
  ];
  return groups
    .filter((group) => group.voices.length > 0)
    .map((group) => (
      <optgroup key={group.label} label={group.label}>
        {group.voices.map(({ name, lang, voiceURI }, index) => (
          // Two voices may have the same URI.
          <option key={index} value={voiceURI}>
            {name} ({lang})
          </option>
        ))}
      </optgroup>
    ));
}

function toTimerValue(timer: SleepTimer | null): string {
  return typeof timer === "object" ? String(timer?.minutes ?? "") : timer;
}

function readTimer(value: string, now: number): SleepTimer | null {
  if (value === "chapter") return value;
  const minutes = Number(value);
  return minutes > 0 ? { minutes, at: now + minutes * 60_000 } : null;
}

/** Returns whether words of the text are selected. */
function useHasSelection(text: RefObject<HTMLElement>): boolean {
  const [hasSelection, setHasSelection] = useState(false);

  useEffect(() => {
    function update() {
      const selection = getSelection();
      const isInText = text.current?.contains(selection?.anchorNode ?? null) ?? false;
      setHasSelection(isInText && selection?.isCollapsed === false);
    }
    update();
    document.addEventListener("selectionchange", update);
    return () => document.removeEventListener("selectionchange", update);
  }, [text]);

  return hasSelection;
}

/** Tells the style sheet how much of the window the player covers. */
function useHeight(player: RefObject<HTMLElement>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const update = () => style.setProperty("--player", `${player.current?.offsetHeight ?? 0}px`);
    update();
    const resizes = new ResizeObserver(update);
    if (player.current) resizes.observe(player.current);
    return () => {
      resizes.disconnect();
      style.removeProperty("--player");
    };
  }, [player]);
}
