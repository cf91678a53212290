import { useEffect, useRef, useState, type CSSProperties } from "react";

import styles from "./cover.module.css";
import { getDrawing, PALETTE_COUNT } from "./drawing.ts";

export interface CoverProps {
  /** Determines the drawn cover. */
  id: string;
  title: string;
  /** The URL of an image, or a drawing; empty for the drawing that the id determines. */
  src: string;
  /** Whether to load it before the user scrolls. @default false */
  isEager?: boolean;
  /** @default 'large' */
  size?: "small" | "large";
}

/** A book's cover. Without an image, or if it fails to load, the cover is drawn. Show the title next to it. */
export function Cover({ id, title, src, isEager = false, size = "large" }: CoverProps) {
  const image = useRef<HTMLImageElement>(null);
  const [brokenSrc, setBrokenSrc] = useState<string>();

  useEffect(() => {
    // The image may have failed to load before hydration.
    if (image.current?.complete && image.current.naturalWidth === 0) setBrokenSrc(src);
  }, [src]);

  return (
    <div className={styles.cover} data-size={size}>
      {src === "" || src === brokenSrc || src.startsWith("drawing:") ? (
        <DrawnCover id={id} title={title} src={src} />
      ) : (
        <img
          ref={image}
          className={styles.picture}
          src={src}
          alt=""
          width={600}
          height={900}
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBrokenSrc(src)}
          {...(isEager ? LOW_PRIORITY : { loading: "lazy" })}
        />
      )}
    </div>
  );
}

/**
 * Covers are less urgent than the style sheet and the fonts, which the text above them needs. React 18 renders the
 * lower-case attribute, but its types contain neither spelling.
 */
const LOW_PRIORITY = { fetchpriority: "low" };

/** Contains the symbols `m0` to `m5`, 60 by 90 units each. Their upper third is empty, for the title. */
const MOTIFS_PATH = "/assets/covers/motifs.svg";

interface DrawnCoverProps {
  /** Determines the motif and palette, unless the writer has chosen a drawing. */
  id: string;
  title: string;
  /** The cover that the story stores. */
  src: string;
}

/** A cover for a story without an image. */
function DrawnCover({ id, title, src }: DrawnCoverProps) {
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
