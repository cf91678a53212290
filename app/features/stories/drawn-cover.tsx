import type { CSSProperties, ReactNode } from "react";

import styles from "./cover.module.css";

/** How many degrees lie between two neighbouring palettes. */
const STEP = 30;

/** One plain picture each, 60 wide and 90 high, its upper third left to the title. */
const MOTIFS: readonly ReactNode[] = [
  <>
    <circle cx="40" cy="56" r="13" data-pale="" />
    <path d="M0 78c14-10 28-10 40-3s16 5 20 1v14H0Z" />
  </>,
  <>
    <path d="M0 72 18 50 30 64 43 44 60 68v22H0Z" />
    <circle cx="15" cy="42" r="4" data-pale="" />
  </>,
  <>
    <path d="M0 58q7.5-5 15 0t15 0 15 0 15 0v4q-7.5 5-15 0t-15 0-15 0-15 0Z" />
    <path d="M0 68q7.5-5 15 0t15 0 15 0 15 0v4q-7.5 5-15 0t-15 0-15 0-15 0Z" data-pale="" />
    <path d="M0 78q7.5-5 15 0t15 0 15 0 15 0v12H0Z" />
  </>,
  <>
    <path d="M30 42a22 22 0 0 1 22 22v26H8V64a22 22 0 0 1 22-22Z" />
    <path d="M30 54a11 11 0 0 1 11 11v25H19V65a11 11 0 0 1 11-11Z" data-pale="" />
  </>,
  <>
    <path d="M6 90V76h12v14ZM20 90V66h12v24ZM34 90V56h12v34ZM48 90V46h12v44Z" />
    <circle cx="54" cy="39" r="3.5" data-pale="" />
  </>,
  <>
    <path d="M52 42C30 44 16 56 16 72c0 5 2 9 3 13 2-15 12-25 24-30-10 7-17 17-18 30 15 2 28-12 27-43Z" />
    <circle cx="20" cy="88" r="2.5" data-pale="" />
  </>,
];

/** A cover for a story that has none: motif and palette follow from its id, the title stands in words. */
export function DrawnCover({ id, title }: { id: string; title: string }) {
  const hash = hashOf(id);
  const palette = hash % (360 / STEP);
  const motif = MOTIFS[Math.floor(hash / (360 / STEP)) % MOTIFS.length];
  return (
    // A custom property is a style that React's types do not list.
    <div className={styles.drawn} style={{ "--turn": palette * STEP } as CSSProperties} aria-hidden>
      <svg className={styles.motif} viewBox="0 0 60 90" preserveAspectRatio="xMidYMax slice">
        {motif}
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
