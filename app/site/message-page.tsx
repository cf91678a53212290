import { useLocation } from "@remix-run/react";
import { createContext, useContext, useState, type ReactNode } from "react";

import { ButtonLink } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import styles from "./message-page.module.css";

export interface MessagePageProps {
  title: string;
  /** What happened, and what is safe. */
  children: ReactNode;
  /** Links or buttons. @default a link to the stories */
  actions?: ReactNode;
}

/** A page that only shows a message, for example an error. */
export function MessagePage({
  title,
  children,
  actions = <ButtonLink to="/home">Go to the stories</ButtonLink>,
}: MessagePageProps) {
  return (
    <section className={styles.page} aria-labelledby="message-page-title">
      <h1 id="message-page-title">{title}</h1>
      <div className={styles.text}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}

/** The id of the request in the server's log. Empty in the browser. */
export const RequestIdContext = createContext("");

const ELEMENT_ID = "request-id";

/** Shows the id that finds this error in the log, on pages that the server rendered. */
export function RequestId() {
  // The key discards the id on navigation: an error on another page belongs to another request.
  return <RenderedId key={useLocation().key} />;
}

function RenderedId() {
  const id = useContext(RequestIdContext);
  const isHydrated = useHydrated();
  // During hydration the browser reads what the server has rendered, which React would replace with an empty text.
  const [text] = useState(() => {
    if (isHydrated) return "";
    return id ? `Error ID: ${id}` : findRenderedText();
  });
  if (text === "") return null;
  return (
    <p id={ELEMENT_ID} className={styles.id}>
      {text}
    </p>
  );
}

function findRenderedText(): string {
  return globalThis.document?.getElementById(ELEMENT_ID)?.textContent ?? "";
}
