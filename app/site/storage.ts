/** Returns the browser's storage, or `null` if the browser denies access to it. */
export function getStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Returns a stored value, or `null` if there is none or the browser denies access to it. */
export function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value that the user can do without: the storage may be denied or full. */
export function writeItem(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The value is lost on reload.
  }
}
