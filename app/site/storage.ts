/** Returns the browser's storage, or `null` if the browser denies access to it. */
export function getStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
