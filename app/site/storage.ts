const TEST_KEY = "inkglade.test";

/** Returns whether something can be stored: the browser may deny access to its storage, or the storage may be full. */
export function isStorageWritable(): boolean {
  try {
    const storage = getStorage();
    storage?.setItem(TEST_KEY, "");
    storage?.removeItem(TEST_KEY);
    return storage !== null;
  } catch {
    return false;
  }
}

/** Returns the browser's storage, or `null` if the browser denies access to it. */
export function getStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
