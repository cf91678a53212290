/** In UTF-16 units. */
export const MAX_ABOUT_LENGTH = 200;

/** Returns the path of a writer's public document. */
export function getWriterPath(uid: string): string {
  return `writers/${uid}`;
}
