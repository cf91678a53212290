import { useEffect, useState, type RefObject } from "react";

import { formatQuote, type Quote } from "#app/chat/message.ts";
import { useOutboxes } from "#app/chat/outbox.ts";
import { Button } from "#app/ui/button.tsx";
import styles from "./quote-button.module.css";

export interface QuoteKeyProps {
  text: RefObject<HTMLElement>;
  path: string;
  /** Who is signed in. */
  uid: string | undefined;
}

/** Shown while words of the text are selected: takes them to the room, with a link back to where they stand. */
export function QuoteKey({ text, path, uid }: QuoteKeyProps) {
  const outboxes = useOutboxes();
  const [quote, setQuote] = useState<Pick<Quote, "words" | "path"> | null>(null);

  useEffect(() => {
    function follow() {
      const found = text.current && findSelected(text.current);
      setQuote(found ? { words: found.words, path: `${path}#${found.paragraph}` } : null);
    }
    document.addEventListener("selectionchange", follow);
    return () => document.removeEventListener("selectionchange", follow);
  }, [text, path]);

  if (!quote) return null;
  return (
    <div className={styles.row}>
      <Button
        variant="quiet"
        className={styles.key}
        // A press must not take the selection away before it is read.
        onPointerDown={(event) => event.preventDefault()}
        onPress={() => {
          outboxes.get(uid).appendText(formatQuote(quote));
          openRoom();
        }}
      >
        Quote in the room
      </Button>
    </div>
  );
}

function findSelected(text: HTMLElement): { words: string; paragraph: string } | null {
  const selection = getSelection();
  const words = selection?.toString().trim() ?? "";
  if (!selection || selection.rangeCount === 0 || words === "") return null;
  const { startContainer } = selection.getRangeAt(0);
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  const paragraph = element?.closest('[id^="p-"]');
  return paragraph && text.contains(paragraph) ? { words, paragraph: paragraph.id } : null;
}

/** Unfolds the room at the end of the page, and goes to where messages are written. */
function openRoom(): void {
  const room = document.getElementById("room");
  const fold = room?.closest("details");
  if (!room || !fold) return;
  fold.open = true;
  room.scrollIntoView({ block: "nearest", behavior: "instant" });
  const field = room.querySelector("textarea");
  field?.focus();
  // After React has put the words in.
  requestAnimationFrame(() => field?.setSelectionRange(field.value.length, field.value.length));
}
