import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";

import { PICTURE_TYPES } from "#app/http/picture-path.ts";
import { Button } from "#app/ui/button.tsx";
import editorStyles from "#app/writing/editor/rich-editor.module.css";
import { toPictureAddress, type Picture } from "#app/writing/editor/story-addresses.ts";
import styles from "./story-pictures.module.css";

export interface PicturePanelProps {
  /** The selected picture, or `null`. */
  picture: Picture | null;
  canUpload: boolean;
  onSet: (picture: Picture) => void;
  onUpload: (file: File, alt: string) => void;
  onCancel: () => void;
}

/** Asks for a file or an address, and for a description. Its inputs have no names: they are not part of the form's data. */
export function PicturePanel({ picture, canUpload, onSet, onUpload, onCancel }: PicturePanelProps) {
  const [typed, setTyped] = useState(picture?.src ?? "");
  const [alt, setAlt] = useState(picture?.alt ?? "");
  const [file, setFile] = useState<File | null>(null);
  const [isRejected, setIsRejected] = useState(false);
  const addressRef = useRef<HTMLInputElement>(null);
  const altRef = useRef<HTMLInputElement>(null);
  const fileRef = useRef<HTMLInputElement>(null);
  const hasAddress = picture !== null && picture.src !== "";

  useEffect(() => {
    (hasAddress ? altRef : addressRef).current?.select();
  }, [hasAddress]);

  function set() {
    if (file) return onUpload(file, alt);
    const src = typed === picture?.src ? typed : toPictureAddress(typed);
    if (src) return onSet({ src, alt });
    setIsRejected(true);
    addressRef.current?.focus();
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    if (event.key === "Enter" && !(event.target instanceof HTMLInputElement)) return;
    // Enter would submit the form.
    event.preventDefault();
    if (event.key === "Enter") set();
    else onCancel();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its inputs handle the keys
    <fieldset
      className={`${editorStyles.linkRow} ${styles.panel}`}
      aria-label="Picture"
      onKeyDown={handleKeyDown}
      // What is typed here is not part of the story.
      onInput={stopInput}
    >
      {file ? (
        <p className={styles.file}>{file.name}</p>
      ) : (
        <input
          ref={addressRef}
          type="text"
          inputMode="url"
          className={editorStyles.address}
          aria-label="Picture address"
          placeholder="https://"
          value={typed}
          aria-invalid={isRejected || undefined}
          aria-describedby={isRejected ? "picture-error" : undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            setIsRejected(false);
          }}
        />
      )}
      {canUpload ? (
        <>
          <input
            ref={fileRef}
            type="file"
            hidden
            accept={PICTURE_TYPES}
            aria-label="Picture file"
            onChange={({ target }) => {
              setFile(target.files?.[0] ?? null);
              setIsRejected(false);
              altRef.current?.focus();
            }}
          />
          <Button variant="quiet" onPress={() => fileRef.current?.click()}>
            {file ? "Another file" : "Choose a file"}
          </Button>
        </>
      ) : null}
      <input
        ref={altRef}
        className={`${editorStyles.address} ${styles.words}`}
        dir="auto"
        aria-label="Picture description"
        placeholder="What it shows, for readers who can't see it"
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
      />
      <Button onPress={set}>{file ? "Add picture" : "Picture"}</Button>
      <Button variant="quiet" onPress={onCancel}>
        Cancel
      </Button>
      {isRejected ? (
        <p id="picture-error" className={editorStyles.error} role="alert">
          Enter a web address that begins with https.
        </p>
      ) : null}
    </fieldset>
  );
}

function stopInput(event: FormEvent) {
  event.stopPropagation();
}
