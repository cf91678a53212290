import { useContext } from "react";

import styles from "./mention-text.module.css";
import { splitMentions } from "./mentions.ts";
import { NamesContext } from "./use-names.ts";

/** A text in which mentions are marked. */
export function MentionText({ text }: { text: string }) {
  return text.includes("@") ? <MarkedText text={text} /> : text;
}

function MarkedText({ text }: { text: string }) {
  return splitMentions(text, useContext(NamesContext)).map((part) =>
    part.mention ? (
      <bdi
        key={part.start}
        className={styles.mention}
        data-own={part.mention === "own" || undefined}
      >
        {part.text}
      </bdi>
    ) : (
      part.text
    ),
  );
}
