import { Form } from "@remix-run/react";
import { useEffect, useRef, type KeyboardEvent } from "react";

import { MAX_TEXT_LENGTH } from "#app/chat/message.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./composer.module.css";

const OWN_NAMES = { id: "id", text: "text", uid: "uid" };
/** In a form that has an id, a text and a uid of its own. */
const PAGE_NAMES = { id: "messageId", text: "message", uid: "messageUid" };

/** The count shows from here on. */
const COUNT_FROM = MAX_TEXT_LENGTH - 500;

export interface ComposerProps {
  /** The page whose action takes the message. */
  path: string;
  id: string;
  text: string;
  /** The person who writes. The server refuses the message while somebody else is signed in. */
  uid: string | undefined;
  /** The form of what else is written on the page: without scripts it is saved by whoever sends. */
  pageForm: string | undefined;
  /** Starts in the field, for a page that came back because of it. */
  isAutoFocused: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  onBlur: () => void;
}

/** Where a message is written. Without scripts a form like any other; with them it is sent from the page. */
export function Composer({
  path,
  id,
  text,
  uid,
  pageForm,
  isAutoFocused,
  onText,
  onSend,
  onBlur,
}: ComposerProps) {
  const names = pageForm ? PAGE_NAMES : OWN_NAMES;
  const field = useRef<HTMLTextAreaElement>(null);
  const isHydrated = useHydrated();
  const isEmpty = !isVisible(text);

  useEffect(() => {
    // What was typed before the scripts came is kept.
    if (field.current && field.current.value !== text) onText(field.current.value);
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);

  function sendOnEnter(event: KeyboardEvent) {
    // WebKit ends a composition before the Enter that confirms it, and tells by the code alone.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    const isSend = event.key === "Enter" && !event.shiftKey && !isComposing;
    // On a touch keyboard Enter is the only way to a new line.
    if (!isSend || !matchMedia("(pointer: fine)").matches) return;
    event.preventDefault();
    if (!isEmpty) onSend();
  }

  return (
    <Form
      method="post"
      action={path}
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSend();
      }}
    >
      {/* These stay with the page's form: only the key changes hands once scripts run. */}
      <input type="hidden" form={pageForm} name={names.id} value={id} />
      {uid ? <input type="hidden" form={pageForm} name={names.uid} value={uid} /> : null}
      <textarea
        ref={field}
        form={pageForm}
        className={styles.field}
        name={names.text}
        aria-label="Message"
        aria-describedby={text.length > COUNT_FROM ? "message-count" : undefined}
        placeholder="Type a message…"
        rows={1}
        value={text}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page came back for this field
        autoFocus={isAutoFocused}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={sendOnEnter}
        onBlur={onBlur}
      />
      <Button
        type="submit"
        isDisabled={isHydrated && isEmpty}
        {...(pageForm && !isHydrated && { form: pageForm, name: "intent", value: "send" })}
      >
        Send
      </Button>
      {text.length > COUNT_FROM ? (
        <p id="message-count" className={styles.count} data-over={text.length > MAX_TEXT_LENGTH}>
          {text.length.toLocaleString("en")} of {MAX_TEXT_LENGTH.toLocaleString("en")} characters
        </p>
      ) : null}
    </Form>
  );
}
