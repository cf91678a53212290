import { Link } from "@remix-run/react";

import { readQuote } from "#app/chat/message.ts";
import styles from "./message-text.module.css";

/** Shows the text as typed, never as markup. A quote of a story links to the quoted paragraph. */
export function MessageText({ text }: { text: string }) {
  const quote = readQuote(text);
  if (!quote) return <p className={styles.text}>{text}</p>;
  return (
    <>
      <blockquote className={styles.quote}>
        <Link to={quote.path}>“{quote.words}”</Link>
      </blockquote>
      {quote.comment ? <p className={styles.text}>{quote.comment}</p> : null}
    </>
  );
}
