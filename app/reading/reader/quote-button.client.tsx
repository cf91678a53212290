import { useLocation, useNavigate } from "@remix-run/react";
import { useEffect, useState, type RefObject } from "react";

import { focusComposer } from "#app/chat/dock/focus-composer.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { toMessageText } from "#app/chat/outbox/outbox.ts";
import { useOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { formatQuote, isAbout, readSubject, type Quote } from "#app/chat/quotes/quote.ts";
import { toPassagePath } from "#app/chat/room-address.ts";
import { useCancelEdits } from "#app/chat/use-message-actions.ts";
import { Button } from "#app/ui/button.tsx";
import styles from "./quote-button.module.css";

export interface QuoteButtonProps {
  text: RefObject<HTMLElement>;
  path: string;
  uid: string | undefined;
}

/** A place in the article, in pixels from its top and left edges. */
interface Place {
  top: number;
  left: number;
}

/**
 * Adds the selected words to the message input, with a link to their paragraph, and opens what is said about it. Shown below
 * the words, only while some are selected.
 */
export function QuoteButton({ text, path, uid }: QuoteButtonProps) {
  const outboxes = useOutboxes();
  const cancelEdits = useCancelEdits();
  const { open } = useRoomDock();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [quote, setQuote] = useState<(Pick<Quote, "words" | "path"> & { place: Place }) | null>(
    null,
  );

  useEffect(() => {
    function onSelectionChange() {
      const passage = text.current && findSelected(text.current);
      setQuote(
        passage && {
          words: passage.words,
          path: `${path}#${passage.paragraph}`,
          place: findPlace(passage.range, text.current),
        },
      );
    }
    onSelectionChange();
    document.addEventListener("selectionchange", onSelectionChange);
    addEventListener("resize", onSelectionChange);
    // Sections above the words get their height only once they have been laid out.
    const resizes = new ResizeObserver(onSelectionChange);
    if (text.current?.parentElement) resizes.observe(text.current.parentElement);
    return () => {
      resizes.disconnect();
      document.removeEventListener("selectionchange", onSelectionChange);
      removeEventListener("resize", onSelectionChange);
    };
  }, [text, path]);

  if (!quote) return null;
  return (
    <div className={styles.row} style={quote.place}>
      <Button
        variant="quiet"
        className={styles.button}
        // Otherwise pressing the button would clear the selection.
        onPointerDown={(event) => event.preventDefault()}
        onPress={() => {
          cancelEdits();
          const outbox = outboxes.get(uid);
          // Stores the quote, because without a connection the document is replaced.
          if (uid !== undefined) outbox.start();
          outbox.appendText(formatQuote(quote));
          const { input } = outbox.getState();
          const passage = readSubject(formatQuote(quote));
          // What was typed before may be about another passage.
          if (input && passage && isAbout(toMessageText(input), passage)) {
            navigate(toPassagePath(quote.path, "room", path + search), {
              preventScrollReset: true,
            });
          } else open();
          void focusComposer();
        }}
      >
        Quote in the room
      </Button>
    </div>
  );
}

/** The height of the button and its distance to the words, in pixels. */
const HEIGHT = 44;
const GAP = 8;

/** Half of the button's width, in pixels. */
const HALF_WIDTH = 90;

/** Returns where the button stands: below the last selected line that is in view, within the article. */
function findPlace(range: Range, text: HTMLElement): Place {
  const lines = Array.from(range.getClientRects()).filter(({ width }) => width > 0);
  const maxBottom = innerHeight - getBottomSpace() - HEIGHT;
  const line = lines.findLast(({ bottom }) => bottom <= maxBottom) ?? lines[0];
  const article = text.parentElement?.getBoundingClientRect();
  if (!line || !article) return { top: 0, left: 0 };
  const center = (line.left + line.right) / 2 - article.left;
  return {
    top: line.bottom - article.top + GAP,
    left: Math.min(Math.max(center, HALF_WIDTH), article.width - HALF_WIDTH),
  };
}

/** Returns the space that scrolling leaves at the bottom of the window, for the bar of small windows, in pixels. */
function getBottomSpace(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
}

function findSelected(
  text: HTMLElement,
): { words: string; paragraph: string; range: Range } | null {
  const selection = getSelection();
  const words = selection?.toString().trim() ?? "";
  if (!selection || selection.rangeCount === 0 || words === "") return null;
  const range = selection.getRangeAt(0);
  const { startContainer } = range;
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  const paragraph = element?.closest('[id^="p-"]');
  return paragraph && text.contains(paragraph) ? { words, paragraph: paragraph.id, range } : null;
}
