import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type FormEvent,
  type KeyboardEvent,
} from "react";

import type { ActionError } from "#app/session/action-result.ts";
import { MentionSuggestions } from "#app/chat/mentions/mention-suggestions.tsx";
import type { MessageActions } from "#app/chat/message-actions.ts";
import { DONE_NOTICES } from "#app/chat/message-intents.ts";
import { MAX_TEXT_LENGTH, type Message } from "#app/chat/message.ts";
import { splitMessage, readQuote } from "#app/chat/quotes/quote.ts";
import { useOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { isVisible } from "#app/http/text.ts";
import { announce } from "#app/ui/announcer.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { useTextHeight } from "#app/ui/text-area.ts";
import composer from "./composer.module.css";
import { isComposing, isSubmitKey } from "./is-submit-key.ts";

export interface MessageEditorProps {
  message: Message;
  /** The names that a mention can have. */
  names: readonly string[];
  actions: MessageActions;
  /** Called after the text was stored, or the user has cancelled. */
  onClose: () => void;
}

/**
 * Replaces the composer while a message is edited. The lines that say what it is about and what it answers stay the same,
 * so only the text below is edited. What is typed is kept until it is saved or cancelled. Render it with the message's id
 * as its key.
 */
export function MessageEditor({ message, names, actions, onClose }: MessageEditorProps) {
  // An operator may mute the user while they type.
  const form = useFocusAfterRemoval<HTMLFormElement>();
  const field = useRef<HTMLTextAreaElement>(null);
  const [quote, comment] = splitMessage(message);
  const words = readQuote(message.text)?.words;
  const outbox = useOutboxes().get(message.uid);
  const edited = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.getState().edits.find(({ id }) => id === message.id)?.text ?? comment,
    () => comment,
  );
  const text = quote + edited;
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  useTextHeight(field);
  const isTooLong = text.trim().length > MAX_TEXT_LENGTH;
  // Only a quoted passage says something by itself.
  const isEmpty = !isVisible(edited) && (words === undefined || Boolean(message.topic?.replyTo));

  useEffect(() => {
    field.current?.focus();
    const end = field.current?.value.length ?? 0;
    field.current?.setSelectionRange(end, end);
  }, [message]);

  function cancel() {
    if (isPending) return;
    outbox.setEdit(message.id, null);
    actions.cancelEdit();
    onClose();
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (isPending || isEmpty) return;
    if (text.trim() === message.text) {
      cancel();
      return;
    }
    setIsPending(true);
    const error = await actions.saveEdit(message, text);
    setIsPending(false);
    setError(error);
    if (error) return;
    outbox.setEdit(message.id, null);
    announce(DONE_NOTICES.edit.message);
    onClose();
  }

  function handleKey(event: KeyboardEvent<HTMLFormElement>) {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      // Otherwise Escape would also close the panel.
      event.stopPropagation();
      cancel();
    }
    if (isSubmitKey(event) && event.target === field.current) void save(event);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape cancels from its buttons too
    <form
      ref={form}
      className={composer.composer}
      aria-label="Edit your message"
      onSubmit={(event) => void save(event)}
      onKeyDown={handleKey}
    >
      {error ? (
        <MessageBanner className={composer.wide} severity="error" hint={error.hint}>
          {error.message}
        </MessageBanner>
      ) : null}
      {words ? (
        <p className={composer.quote} dir="auto">
          “{words}”
        </p>
      ) : null}
      <textarea
        ref={field}
        className={`${composer.field} ${composer.wide}`}
        dir="auto"
        aria-label="Edit message"
        aria-describedby={isTooLong ? "edit-count" : undefined}
        rows={1}
        // What is typed while it is being saved would be lost.
        readOnly={isPending}
        value={edited}
        onChange={(event) => outbox.setEdit(message.id, event.target.value)}
      />
      <MentionSuggestions field={field} names={names} />
      {isTooLong ? (
        <p id="edit-count" className={composer.count} data-over>
          {text.trim().length.toLocaleString("en")} of {MAX_TEXT_LENGTH.toLocaleString("en")}{" "}
          characters
        </p>
      ) : null}
      <div className={composer.buttons}>
        <Button variant="quiet" isDisabled={isPending} onPress={cancel}>
          Cancel
        </Button>
        <Button type="submit" isPending={isPending} isDisabled={isEmpty}>
          Save
        </Button>
      </div>
    </form>
  );
}
