import type { CSSProperties } from "react";

import styles from "./skeleton.module.css";

export interface SkeletonProps {
  /**
   * Sets `[data-shape]`: `line` for text, as high as the surrounding type; `box` for an image or a card; `round` for an
   * avatar.
   *
   * @default 'line'
   */
  shape?: "line" | "box" | "round";
  /** Use the final size, so that nothing shifts when the content arrives. @default '100%' */
  width?: CSSProperties["width"];
  /** @default one line of text */
  height?: CSSProperties["height"];
}

/**
 * A placeholder for content that is loading. It is hidden from screen readers: set `aria-busy` on its container, and
 * describe in text what is loading.
 */
export function Skeleton({ shape = "line", width, height }: SkeletonProps) {
  return (
    <span
      className={styles.skeleton}
      data-shape={shape}
      aria-hidden="true"
      style={{ width, height }}
    />
  );
}
