import type { CSSProperties } from "react";

import styles from "./cover.module.css";

/** Holds the motifs `m0` to `m5`: one plain picture each, 60 wide and 90 high, its upper third left to the title. */
const MOTIFS_PATH = "/assets/covers/motifs.svg";
const MOTIF_COUNT = 6;

/** Palettes are turns of one green, in degrees. */
const PALETTE_COUNT = 12;

/** A cover for a story that has none: motif and palette follow from its id, the title stands in words. */
export function DrawnCover({ id, title }: { id: string; title: string }) {
  const hash = hashOf(id);
  const turn = (hash % PALETTE_COUNT) * (360 / PALETTE_COUNT);
  const motif = Math.floor(hash / PALETTE_COUNT) % MOTIF_COUNT;
  return (
    // A custom property is a style that React's types do not list.
    <div className={styles.drawn} style={{ "--turn": turn } as CSSProperties} aria-hidden>
      <svg className={styles.motif} viewBox="0 0 60 90">
        <use href={`${MOTIFS_PATH}#m${motif}`} />
      </svg>
      <p className={styles.words}>{title}</p>
    </div>
  );
}

/** FNV-1a, 32 bits: the same for an id in every browser and on the server. */
function hashOf(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of id) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  }
  return hash >>> 0;
}
