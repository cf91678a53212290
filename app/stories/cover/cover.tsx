import { useEffect, useRef, useState } from "react";

import styles from "./cover.module.css";
import { DrawnCover } from "./drawn-cover.tsx";

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
