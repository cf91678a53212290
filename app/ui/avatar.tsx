import styles from "./avatar.module.css";

export interface AvatarProps {
  /** The URL of the photo. Without one nothing is shown, not even initials. */
  src: string | null | undefined;
  /**
   * Sets `[data-size]`.
   *
   * @default 'small'
   */
  size?: "small" | "large";
  /** Leave empty next to the person's name. @default '' */
  alt?: string;
}

/** A person's photo. */
export function Avatar({ src, size = "small", alt = "" }: AvatarProps) {
  if (!src) return null;
  const pixels = size === "large" ? 96 : 32;
  return (
    <img
      className={styles.avatar}
      data-size={size}
      src={src}
      alt={alt}
      width={pixels}
      height={pixels}
      // Hides the page's URL from the photo's host. Some hosts also refuse requests from other sites.
      referrerPolicy="no-referrer"
    />
  );
}
