import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "#app/ui/button.tsx";
import styles from "./rich-editor.module.css";
import { toLinkAddress, toPictureAddress, type Picture } from "./story-links.ts";

export interface LinkRowProps {
  /** The address of the link at the caret, or `null`. */
  address: string | null;
  /** `null` removes the link. */
  onSet: (address: string | null) => void;
  onCancel: () => void;
}

/** Asks for the address of a link. */
export function LinkRow({ address, onSet, onCancel }: LinkRowProps) {
  const [typed, setTyped] = useState(address ?? "");
  return (
    <AddressRow
      label="Link"
      address={typed}
      error={toLinkAddress(typed) ? null : "Enter a web address or an e-mail address."}
      onChange={setTyped}
      onSet={() => onSet(toLinkAddress(typed))}
      onRemove={address === null ? undefined : () => onSet(null)}
      onCancel={onCancel}
    />
  );
}

export interface PictureRowProps {
  /** The selected picture, or `null`. */
  picture: Picture | null;
  onSet: (picture: Picture) => void;
  onCancel: () => void;
}

/** Asks for the address and the description of a picture. */
export function PictureRow({ picture, onSet, onCancel }: PictureRowProps) {
  const [typed, setTyped] = useState(picture?.src ?? "");
  const [alt, setAlt] = useState(picture?.alt ?? "");
  const src = toPictureAddress(typed);
  return (
    <AddressRow
      label="Picture"
      address={typed}
      error={src ? null : "Enter a web address that begins with https."}
      onChange={setTyped}
      onSet={() => src && onSet({ src, alt })}
      onCancel={onCancel}
      description={alt}
      onDescribe={setAlt}
    />
  );
}

interface AddressRowProps {
  /** Also the text of the button that sets the address. */
  label: string;
  address: string;
  /** What is wrong with the address, or `null`. */
  error: string | null;
  onChange: (address: string) => void;
  /** Called with Enter or the button, if nothing is wrong. */
  onSet: () => void;
  onRemove?: () => void;
  onCancel: () => void;
  description?: string;
  onDescribe?: (description: string) => void;
}

/** A row below the toolbar. Its inputs have no names, so they are not part of the form's data. */
function AddressRow(props: AddressRowProps) {
  const { label, address, error, onChange, onRemove, onCancel, onDescribe } = props;
  const [isRejected, setIsRejected] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  useEffect(() => inputRef.current?.select(), []);

  function set() {
    if (error) {
      setIsRejected(true);
      inputRef.current?.focus();
    } else props.onSet();
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Enter would submit the form.
    event.preventDefault();
    if (event.key === "Enter") set();
    else onCancel();
  }

  return (
    <fieldset className={styles.linkRow} aria-label={label}>
      <input
        ref={inputRef}
        type="url"
        className={styles.address}
        aria-label={`${label} address`}
        placeholder="https://"
        value={address}
        aria-invalid={isRejected || undefined}
        aria-describedby={isRejected ? "address-error" : undefined}
        onChange={(event) => {
          onChange(event.target.value);
          setIsRejected(false);
        }}
        onKeyDown={handleKeyDown}
      />
      {onDescribe ? (
        <input
          className={styles.address}
          dir="auto"
          aria-label={`${label} description`}
          placeholder="What it shows, for readers who can’t see it"
          value={props.description}
          onChange={(event) => onDescribe(event.target.value)}
          onKeyDown={handleKeyDown}
        />
      ) : null}
      <Button onPress={set}>{label}</Button>
      {onRemove ? (
        <Button variant="quiet" onPress={onRemove}>
          Remove link
        </Button>
      ) : null}
      <Button variant="quiet" onPress={onCancel}>
        Cancel
      </Button>
      {isRejected ? (
        <p id="address-error" className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
