import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "#app/ui/button.tsx";
import styles from "./rich-editor.module.css";
import { toLinkAddress } from "./story-addresses.ts";

export interface LinkRowProps {
  /** The address of the link at the caret, or `null`. */
  address: string | null;
  /** `null` removes the link. */
  onSet: (address: string | null) => void;
  onCancel: () => void;
}

/** Asks for the address of a link, in a row below the toolbar. Its input has no name, so it is not part of the form's data. */
export function LinkRow({ address, onSet, onCancel }: LinkRowProps) {
  const [typed, setTyped] = useState(address ?? "");
  const [isRejected, setIsRejected] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  useEffect(() => inputRef.current?.select(), []);

  function set() {
    const next = toLinkAddress(typed);
    if (next !== null) return onSet(next);
    setIsRejected(true);
    inputRef.current?.focus();
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Enter would submit the form.
    event.preventDefault();
    if (event.key === "Enter") set();
    else onCancel();
  }

  return (
    <fieldset className={styles.linkRow} aria-label="Link">
      <input
        ref={inputRef}
        type="url"
        className={styles.address}
        aria-label="Link address"
        placeholder="https://"
        value={typed}
        aria-invalid={isRejected || undefined}
        aria-describedby={isRejected ? "link-error" : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsRejected(false);
        }}
        onKeyDown={handleKeyDown}
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
      {isRejected ? (
        <p id="link-error" className={styles.error} role="alert">
          Enter a web address or an e-mail address.
        </p>
      ) : null}
    </fieldset>
  );
}
