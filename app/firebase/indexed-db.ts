/** Empty: it only shows whether databases can be opened. */
const DATABASE = "inkglade-check";

const TIMEOUT_MS = 3000;

let checked: Promise<void> | undefined;

/**
 * Hides IndexedDB from this page's scripts if it cannot be used: browsers may deny it, and Safari sometimes never
 * responds. The Firebase SDK would fail, or wait forever, although it works without IndexedDB. Call it before the SDK.
 */
export function hideUnusableIndexedDB(): Promise<void> {
  return (checked ??= check());
}

async function check(): Promise<void> {
  try {
    await openDatabase();
  } catch {
    Object.defineProperty(globalThis, "indexedDB", {
      value: undefined,
      configurable: true,
      writable: true,
    });
  }
}

/** @throws when the database does not open in time */
function openDatabase(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE);
    setTimeout(() => reject(new Error("IndexedDB does not respond.")), TIMEOUT_MS);
    request.addEventListener("success", () => {
      request.result.close();
      resolve();
    });
    request.addEventListener("error", () => reject(new Error("The database does not open.")));
  });
}
