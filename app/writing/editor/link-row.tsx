import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "#app/ui/button.tsx";
import styles from "./rich-editor.module.css";
import { toLinkAddress } from "./story-links.ts";

export interface LinkRowProps {
  /** The address of the link at the caret, or `null` where there is none. */
  address: string | null;
  /** `null` takes the link away. */
  onSet: (address: string | null) => void;
  onCancel: () => void;
}

/** Asks where a link should lead. Part of the story's form, but no field of it. */
export function LinkRow({ address, onSet, onCancel }: LinkRowProps) {
  const [typed, setTyped] = useState(address ?? "");
  const [isRefused, setIsRefused] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  useEffect(() => inputRef.current?.select(), []);

  function set() {
    const whole = toLinkAddress(typed);
    if (whole) onSet(whole);
    else setIsRefused(true);
  }

  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Enter in a field would otherwise send the story.
    event.preventDefault();
    if (event.key === "Enter") set();
    else onCancel();
  }

  return (
    <fieldset className={styles.linking} aria-label="Link">
      <input
        ref={inputRef}
        type="url"
        className={styles.address}
        aria-label="Link address"
        placeholder="https://"
        value={typed}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? "link-fault" : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsRefused(false);
        }}
        onKeyDown={press}
      />
      <Button onPress={set}>Link</Button>
      {address === null ? null : (
        <Button variant="quiet" onPress={() => onSet(null)}>
          Remove link
        </Button>
      )}
      <Button variant="quiet" onPress={onCancel}>
        Cancel
      </Button>
      {isRefused ? (
        <p id="link-fault" className={styles.fault} role="alert">
          Enter a web address or an e-mail address.
        </p>
      ) : null}
    </fieldset>
  );
}
