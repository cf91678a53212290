import type { CSSProperties } from "react";

import styles from "./cover.module.css";
import { getDrawing, PALETTE_COUNT } from "./drawing.ts";

/** Contains the symbols `m0` to `m5`, 60 by 90 units each. Their upper third is empty, for the title. */
const MOTIFS_PATH = "/assets/covers/motifs.svg";

export interface DrawnCoverProps {
  /** Determines the motif and palette, unless the writer has chosen a drawing. */
  id: string;
  title: string;
  /** The cover that the story stores. */
  src: string;
}

/** A cover for a story without an image. */
export function DrawnCover({ id, title, src }: DrawnCoverProps) {
  const { palette, motif } = getDrawing(id, src);
  const turn = palette * (360 / PALETTE_COUNT);
  return (
    // The colours are the same in both themes.
    <div
      className={styles.drawn}
      style={{ "--turn": turn } as CSSProperties} // React's type lacks custom properties
      data-scheme="dark"
      aria-hidden
    >
      <svg className={styles.motif} viewBox="0 0 60 90">
        <use href={`${MOTIFS_PATH}#m${motif}`} />
      </svg>
      <p className={styles.words} dir="auto">
        {title}
      </p>
    </div>
  );
}
