import { Link } from "@remix-run/react";

import { readQuote } from "#app/chat/quote.ts";
import styles from "./message-text.module.css";

/** What somebody said, as typed. Words of a story stand as a quotation, which leads to where they are. */
export function MessageText({ text }: { text: string }) {
  const quote = readQuote(text);
  if (!quote) return <p className={styles.text}>{text}</p>;
  return (
    <>
      <blockquote className={styles.quote}>
        <Link to={quote.path}>“{quote.words}”</Link>
      </blockquote>
      {quote.remark ? <p className={styles.text}>{quote.remark}</p> : null}
    </>
  );
}
