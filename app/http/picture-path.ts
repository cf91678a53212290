/**
 * Matches the path of an uploaded picture: its owner's uid, and a name made of its content. `firestore.rules` has the same
 * expression, and `database.rules.json` a similar one.
 */
export const PICTURE_PATH = /^\/pictures\/[\w-]{1,128}\/[\da-f]{32}\.(?:avif|jpg|png|webp)$/;

/**
 * Returns the path of an uploaded picture's address on any host, which may be another name of this site; `null` for any
 * other address.
 */
export function toPicturePath(address: string): string | null {
  const path = address.replace(/^https?:\/\/[^/]+/, "");
  return PICTURE_PATH.test(path) ? path : null;
}

/** Whether others see a photo with this address: one on the web, or an uploaded one. */
export function isPhotoAddress(address: unknown): address is string {
  return (
    typeof address === "string" && (address.startsWith("https://") || PICTURE_PATH.test(address))
  );
}

/** What the file fields of pictures accept. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/avif";
