import { useLocation } from "@remix-run/react";
import { createContext, useContext } from "react";

import styles from "./message-page.module.css";

/** The id of the request in the server's log. Empty in the browser. */
export const RequestIdContext = createContext("");

/** Shows the id that finds this error in the log, on pages that the server rendered. */
export function RequestId() {
  const id = useContext(RequestIdContext);
  return (
    <p
      // Removes the id when the next error is of another page.
      key={useLocation().key}
      className={styles.id}
      // The browser leaves the server's text as it is.
      suppressHydrationWarning
    >
      {id && `Error ID: ${id}`}
    </p>
  );
}
