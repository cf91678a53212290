import styles from "./avatar.module.css";

export interface AvatarProps {
  /** The address of the photo. Without one nothing is shown, not even initials. */
  src: string | null | undefined;
  /**
   * Sets `[data-size]`.
   *
   * @default 'small'
   */
  size?: "small" | "large";
  /** Empty beside the name of the person. @default '' */
  alt?: string;
}

/** A person's photo, beside their name. */
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
      // Whoever hosts the photo need not learn which page it is seen on; some refuse if told.
      referrerPolicy="no-referrer"
    />
  );
}
