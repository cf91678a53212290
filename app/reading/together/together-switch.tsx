import type { FellowReader } from "#app/stories/readers/together.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import type { TogetherStatus } from "./together-dots.client.tsx";

export interface TogetherSwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** `null` while it is off, and until it is known. */
  status: TogetherStatus | null;
  hasChapters: boolean;
}

/** Whether the user is seen reading this story, by those who want to be seen too. It needs scripts, like who is here. */
export function TogetherSwitch({ isOn, onChange, status, hasChapters }: TogetherSwitchProps) {
  return (
    <div>
      <fieldset data-row>
        <legend>Read together</legend>
        <span data-segments>
          {[true, false].map((value) => (
            <label key={String(value)}>
              <input
                type="radio"
                name="together"
                checked={isOn === value}
                onChange={() => onChange(value)}
              />
              <span>{value ? "On" : "Off"}</span>
            </label>
          ))}
        </span>
      </fieldset>
      <p data-note aria-live="polite">
        {isOn && status ? (
          <Status {...status} />
        ) : (
          `Others who turn this on for this story see your name and ${hasChapters ? "chapter" : "about how far you are"}, and you see theirs.`
        )}
      </p>
    </div>
  );
}

function Status({ readers, isUnseen }: TogetherStatus) {
  if (isUnseen) return "Unseen mode is on, so nobody sees you here, and you see nobody.";
  if (!readers) return "Looking for others…";
  return describeReaders(readers);
}

function describeReaders([first, ...others]: readonly FellowReader[]) {
  if (!first) return "You can be seen. Nobody else is reading this story with you right now.";
  if (others.length > 0) return `${others.length + 1} others are reading this story with you.`;
  return (
    <>
      <Bdi>{first.name}</Bdi> is reading this story with you.
    </>
  );
}
