import type { CSSProperties } from "react";

import styles from "./cover.module.css";
import { readDrawing } from "./drawing.ts";

/** Contains the symbols `m0` to `m5`, 60 by 90 units each. Their upper third is empty, for the title. */
const MOTIFS_PATH = "/assets/covers/motifs.svg";
const MOTIF_COUNT = 6;

/** Each palette is the brand's green with a different hue. */
const PALETTE_COUNT = 12;

export interface DrawnCoverProps {
  /** Determines the motif and palette, unless the writer has chosen a drawing. */
  id: string;
  title: string;
  /** The cover that the story stores. */
  src: string;
}

/** A cover for a story without an image. */
export function DrawnCover({ id, title, src }: DrawnCoverProps) {
  const hash = readDrawing(src) ?? hashId(id);
  const turn = (hash % PALETTE_COUNT) * (360 / PALETTE_COUNT);
  const motif = Math.floor(hash / PALETTE_COUNT) % MOTIF_COUNT;
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

/** Returns the 32-bit FNV-1a hash of an id. */
function hashId(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of id) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  }
  return hash >>> 0;
}
