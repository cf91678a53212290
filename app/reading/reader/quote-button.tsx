import { useEffect, useState, type RefObject } from "react";

import { focusComposer } from "#app/chat/dock/focus-composer.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { useOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { formatQuote, type Quote } from "#app/chat/quotes/quote.ts";
import { Button } from "#app/ui/button.tsx";
import styles from "./quote-button.module.css";

export interface QuoteButtonProps {
  text: RefObject<HTMLElement>;
  path: string;
  uid: string | undefined;
}

/** Adds the selected words to the message input, with a link to their paragraph. Shown only while words are selected. */
export function QuoteButton({ text, path, uid }: QuoteButtonProps) {
  const outboxes = useOutboxes();
  const { open } = useRoomDock();
  const [quote, setQuote] = useState<Pick<Quote, "words" | "path"> | null>(null);

  useEffect(() => {
    function onSelectionChange() {
      const passage = text.current && findSelected(text.current);
      setQuote(passage ? { words: passage.words, path: `${path}#${passage.paragraph}` } : null);
    }
    onSelectionChange();
    document.addEventListener("selectionchange", onSelectionChange);
    return () => document.removeEventListener("selectionchange", onSelectionChange);
  }, [text, path]);

  if (!quote) return null;
  return (
    <div className={styles.row}>
      <Button
        variant="quiet"
        className={styles.button}
        // Otherwise pressing the button would clear the selection.
        onPointerDown={(event) => event.preventDefault()}
        onPress={() => {
          outboxes.get(uid).appendText(formatQuote(quote));
          open();
          void focusComposer();
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
