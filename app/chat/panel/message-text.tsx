import { Link } from "@remix-run/react";
import { createContext, useContext, type ReactNode } from "react";

import { isEmojiOnly, linkify } from "#app/chat/linkify.ts";
import { readQuote } from "#app/chat/message.ts";
import styles from "./message-text.module.css";

/** Whether links are plain: outside of the app there is no router. */
export const PlainLinksContext = createContext(false);

/**
 * Shows the text as typed, never as markup; addresses are links. A quote of a story links to the quoted paragraph. One to
 * three emoji alone are larger.
 */
export function MessageText({ text }: { text: string }) {
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
      <blockquote className={styles.quote}>
        <QuoteLink path={quote.path}>“{quote.words}”</QuoteLink>
      </blockquote>
      {quote.comment ? (
        <p className={styles.text}>
          <LinkedText text={quote.comment} />
        </p>
      ) : null}
    </>
  );
}

function QuoteLink({ path, children }: { path: string; children: ReactNode }) {
  if (useContext(PlainLinksContext)) return <a href={path}>{children}</a>;
  return <Link to={path}>{children}</Link>;
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
