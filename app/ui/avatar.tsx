import styles from "./avatar.module.css";

export interface AvatarProps {
  /** The URL of the photo. Without it the component renders nothing, not even initials. */
  src: string | null | undefined;
  /**
   * Sets `[data-size]`.
   *
   * @default 'small'
   */
  size?: "small" | "large";
  /** Leave it empty next to the user's name. @default '' */
  alt?: string;
}

/** A user's photo. */
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
      // Hides the page's URL from the photo's host. Some hosts also reject requests from other sites.
      referrerPolicy="no-referrer"
    />
  );
}
