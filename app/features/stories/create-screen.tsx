import "@fontsource-variable/literata/index.css";

import { useState, type ReactNode } from "react";

import { VisuallyHidden } from "#app/components/visually-hidden.tsx";
import styles from "./create-screen.module.css";

/** Writing on the left, `children` (the room) on the right; below 992 px one under the other. */
export function CreateScreen({ children }: { children: ReactNode }) {
  const [text, setText] = useState("");
  return (
    <div className={styles.screen}>
      <h1>
        <VisuallyHidden>Create</VisuallyHidden>
      </h1>
      <div className={styles.editor}>
        <textarea
          className={styles.text}
          aria-label="Your story"
          placeholder="A first line…"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className={styles.state}>Not saved yet: what you write stays in this tab.</p>
      </div>
      {children}
    </div>
  );
}
