import { useEffect, useRef, useState } from "react";

import styles from "./cover.module.css";
import { DrawnCover } from "./drawn-cover.tsx";

export interface CoverProps {
  /** Decides how the cover is drawn, where it has to be. */
  id: string;
  title: string;
  /** The address of the picture; empty for none. */
  src: string;
  /** Whether it is one of those that are seen first. @default false */
  isEager?: boolean;
  /** A small one has a smaller corner. @default 'large' */
  size?: "small" | "large";
}

/** The cover of a book whose title stands beside it. One that is missing or cannot be loaded is drawn. */
export function Cover({ id, title, src, isEager = false, size = "large" }: CoverProps) {
  const image = useRef<HTMLImageElement>(null);
  const [brokenSrc, setBrokenSrc] = useState<string>();

  useEffect(() => {
    // It may have failed before there was anybody to hear of it.
    if (image.current?.complete && image.current.naturalWidth === 0) setBrokenSrc(src);
  }, [src]);

  return (
    <div className={styles.cover} data-size={size}>
      {src === "" || src === brokenSrc ? (
        <DrawnCover id={id} title={title} />
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
          {...(isEager ? HIGH_PRIORITY : { loading: "lazy" })}
        />
      )}
    </div>
  );
}

/** React 18 knows neither of the spellings of this one by its type. */
const HIGH_PRIORITY = { fetchpriority: "high" };
