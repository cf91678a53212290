/** Checks what is stored, and returns `null` if it is something else. */
export type ReadUnsentText<Value> = (fields: Record<string, unknown>, name: string) => Value | null;

/**
 * Opens unsent text of one kind in the browser's storage. Each thing has its own key, so that no tab overwrites what another
 * has stored, and it is stored when `set` returns. Anything else under these keys is ignored.
 *
 * @param prefix begins the keys; the rest of a key is the thing's name
 * @param storage `null` if the browser denies access to it
 */
export function openUnsentText<Value extends object>(
  prefix: string,
  read: ReadUnsentText<Value>,
  storage: Storage | null,
) {
  function get(name: string): Value | null {
    return attempt(() => {
      const value: unknown = JSON.parse(storage?.getItem(prefix + name) ?? "null");
      return typeof value === "object" && value !== null ? read({ ...value }, name) : null;
    }, null);
  }

  return {
    get,

    list(): [name: string, value: Value][] {
      const keys = attempt(() => Object.keys(storage ?? {}), []);
      return keys.flatMap((key) => {
        const name = key.slice(prefix.length);
        const value = key.startsWith(prefix) ? get(name) : null;
        return value ? [[name, value]] : [];
      });
    },

    /** Returns whether it is stored: storage may be denied or full. */
    set(name: string, value: Value): boolean {
      return attempt(() => {
        storage?.setItem(prefix + name, JSON.stringify(value));
        return storage !== null;
      }, false);
    },

    remove(name: string): void {
      attempt(() => storage?.removeItem(prefix + name), undefined);
    },
  };
}

/** Returns what a function returns, or another value where the browser's storage throws. */
function attempt<Result>(run: () => Result, otherwise: Result): Result {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
