const MAX_ENTRIES = 1000;

/** Creates a cache in the memory of this isolate. Beyond `maxEntries` the oldest is deleted. */
export function createCache<T>(maxAgeMs: number, now: () => number, maxEntries = MAX_ENTRIES) {
  const entries = new Map<string, { value: T; setAt: number }>();
  return {
    /** Returns the value, or `undefined` when there is none or it is too old. */
    find(key: string, ageMs = maxAgeMs): T | undefined {
      const entry = entries.get(key);
      return entry && now() - entry.setAt < ageMs ? entry.value : undefined;
    },
    set(key: string, value: T): void {
      entries.delete(key);
      entries.set(key, { value, setAt: now() });
      if (entries.size <= maxEntries) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
    delete: (key: string): void => void entries.delete(key),
  };
}
