import { Form } from "@remix-run/react";
import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from "react";

import { MentionSuggestions } from "#app/chat/mentions/mention-suggestions.tsx";
import { MAX_TEXT_LENGTH } from "#app/chat/message.ts";
import { addQuote, readAnswered } from "#app/chat/quotes/quote.ts";
import type { RoomSubject } from "#app/chat/quotes/topic.ts";
import { toMessageText, type ComposerInput, type Outbox } from "#app/chat/outbox/outbox.ts";
import { isVisible } from "#app/http/text.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { IconButton } from "#app/ui/icon-button.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { useTextHeight, useTypedText } from "#app/ui/text-area.ts";
import styles from "./composer.module.css";
import { isSubmitKey } from "./is-submit-key.ts";
import cards from "./message-cards.module.css";

/** From this length on, the number of characters is shown. */
const SHOW_COUNT_FROM = MAX_TEXT_LENGTH - 500;

export interface ComposerProps {
  /** The path of the page, whose action sends the message. */
  path: string;
  outbox: Outbox;
  /** The content until something is typed on this page. */
  initial: ComposerInput;
  /** The user who writes. The server rejects the message while another user is signed in. */
  uid: string | undefined;
  /** The names that a mention can have. */
  names: readonly string[];
  /** What the messages that are shown are about; `null` for all messages. */
  subject: RoomSubject | null;
  /** The id of the page's own form. Without scripts it is submitted with the message, so that its content is saved. */
  pageFormId: string | undefined;
  /** Whether the field gets the focus, for example when the page is shown again because of the message. */
  isAutoFocused: boolean;
  onTyping: () => void;
  /** Called with the message that the user has sent. */
  onSend: (text: string) => void;
  onBlur: () => void;
}

/** The field for a message. Without scripts it is a plain form; with them the outbox sends. */
export function Composer({
  path,
  outbox,
  initial,
  uid,
  names,
  subject,
  pageFormId,
  isAutoFocused,
  onTyping,
  onSend,
  onBlur,
}: ComposerProps) {
  const typed = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.getState().input,
    () => null,
  );
  const input = typed ?? initial;
  const { id, text, answered } = input;
  const reply = answered === undefined ? null : readAnswered(answered);
  // An operator may mute the user while they type.
  const form = useFocusAfterRemoval<HTMLFormElement>();
  const field = useRef<HTMLTextAreaElement>(null);
  useTextHeight(field);
  const isHydrated = useHydrated();
  const early = useTypedText("textarea[name=message]", text);
  const isEmpty = !isVisible(text);
  /** The lines of the subject that the next message is not about. */
  const [removed, setRemoved] = useState<string | null>(null);
  if (removed !== null && removed !== subject?.quote) setRemoved(null);
  const isForEveryone = removed !== null;
  const quote = subject && !isForEveryone ? subject.quote : "";
  const whole = answered === undefined ? text : toMessageText(input);
  const message = addQuote(whole, quote);
  const { length } = message;
  const isAboutSubject = message !== whole;
  const about = subject?.paragraph ? "About this passage" : "About this story";
  const describedBy = [
    ...(reply ? ["message-reply"] : []),
    ...(isAboutSubject ? ["message-about"] : []),
    ...(length > SHOW_COUNT_FROM ? ["message-count"] : []),
  ];

  useEffect(() => {
    const { current } = field;
    // The user may have typed before hydration.
    if (current && outbox.getState().input === null && current.value !== text)
      change(current.value);
    const end = current?.value.length ?? 0;
    if (current === document.activeElement) current?.setSelectionRange(end, end);
    // oxlint-disable-next-line react/exhaustive-deps -- a second run would move the caret to the end while the user types
  }, []);

  function change(value: string) {
    outbox.setText(value, initial);
    onTyping();
  }

  function send() {
    if (isEmpty) return;
    // The button is disabled until something is typed again, and would lose the focus.
    field.current?.focus({ preventScroll: true });
    if (!outbox.send(initial, quote)) return;
    setRemoved(null);
    onSend(message);
  }

  function changeRemoved(lines: string | null) {
    setRemoved(lines);
    // The pressed button disappears.
    field.current?.focus();
  }

  function endReply() {
    outbox.setReply(null);
    field.current?.focus();
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && reply && text === "") {
      // Otherwise the same key would close the room.
      event.preventDefault();
      endReply();
    }
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    send();
  }

  return (
    <Form
      ref={form}
      method="post"
      action={path}
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {/* The fields stay in the page's form after hydration; only the button leaves it. */}
      <input type="hidden" form={pageFormId} name="messageId" value={id} />
      {uid ? <input type="hidden" form={pageFormId} name="messageUid" value={uid} /> : null}
      {quote ? <input type="hidden" form={pageFormId} name="messageQuote" value={quote} /> : null}
      {reply ? (
        <div className={styles.about}>
          <div id="message-reply" className={`${cards.link} ${cards.card} ${cards.reply}`}>
            <span className={cards.name}>Replying to {removeBidiControls(reply.name)}</span>
            <span dir="auto">{removeBidiControls(reply.words)}</span>
          </div>
          <IconButton
            icon="close"
            label={`Don't reply to ${removeBidiControls(reply.name)}`}
            onClick={endReply}
          />
        </div>
      ) : null}
      {subject ? (
        <p id="message-about" className={styles.about}>
          {isAboutSubject ? <span>{about}</span> : null}
          {isHydrated && isAboutSubject ? (
            <IconButton
              icon="close"
              label={`Remove: ${about}`}
              onClick={() => changeRemoved(subject.quote)}
            />
          ) : null}
          {isForEveryone ? (
            <Button variant="quiet" onPress={() => changeRemoved(null)}>
              Add: {about}
            </Button>
          ) : null}
        </p>
      ) : null}
      <textarea
        ref={field}
        form={pageFormId}
        className={styles.field}
        name="message"
        dir="auto"
        aria-label="Message"
        aria-describedby={describedBy.join(" ") || undefined}
        placeholder="Type a message…"
        rows={1}
        value={isHydrated ? text : early}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is shown again because of this field
        autoFocus={isAutoFocused}
        onChange={(event) => change(event.target.value)}
        onKeyDown={handleKeyDown}
        onBlur={onBlur}
      />
      <MentionSuggestions field={field} names={names} />
      <Button
        type="submit"
        isDisabled={isHydrated && isEmpty}
        {...(pageFormId && !isHydrated && { form: pageFormId, name: "intent", value: "send" })}
      >
        Send
      </Button>
      {length > SHOW_COUNT_FROM ? (
        <p id="message-count" className={styles.count} data-over={length > MAX_TEXT_LENGTH}>
          {length.toLocaleString("en")} of {MAX_TEXT_LENGTH.toLocaleString("en")} characters
        </p>
      ) : null}
    </Form>
  );
}
