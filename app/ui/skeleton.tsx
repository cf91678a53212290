import type { CSSProperties } from "react";

import styles from "./skeleton.module.css";

export interface SkeletonProps {
  /**
   * Sets `[data-shape]`: `line` for words, in the height of the type around it; `box` for a picture or a
   * card; `round` for a person.
   *
   * @default 'line'
   */
  shape?: "line" | "box" | "round";
  /** The final size, so that nothing moves when the real thing comes. @default '100%' */
  width?: CSSProperties["width"];
  /** @default one line of words */
  height?: CSSProperties["height"];
}

/**
 * A still grey shape where something is on its way. Those who listen hear nothing of it: put `aria-busy`
 * on what holds it, and say in words what is awaited.
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
