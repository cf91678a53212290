import { isEmojiOnly, linkify } from "#app/chat/linkify.ts";
import { readQuote } from "#app/chat/quotes/quote.ts";
import styles from "./message-text.module.css";
import { QuoteCard } from "./quote-card.tsx";

/**
 * Shows the text as typed, never as markup; addresses are links. A quote of a story is a card that links to the quoted
 * paragraph. One to three emoji alone are larger.
 */
export function MessageText({ text, isOwn }: { text: string; isOwn: boolean }) {
  const quote = readQuote(text);
  if (!quote) {
    return (
      <p className={styles.text} data-emoji={isEmojiOnly(text) || undefined}>
        <LinkedText text={text} />
      </p>
    );
  }
  return (
    <>
      <QuoteCard quote={quote} isOwn={isOwn} />
      {quote.comment ? (
        <p className={styles.text}>
          <LinkedText text={quote.comment} />
        </p>
      ) : null}
    </>
  );
}

function LinkedText({ text }: { text: string }) {
  return linkify(text).map((part, index) =>
    part.href === undefined ? (
      part.text
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- a text may contain an address twice, and links have no state
      <a key={index} className={styles.link} href={part.href} rel="nofollow ugc noopener">
        {part.text}
      </a>
    ),
  );
}
