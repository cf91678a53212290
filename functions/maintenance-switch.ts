import { resolveWithin } from "./resolve-within.ts";

/** The part of a Workers KV namespace that is used here. */
export interface KeyValueStore {
  get: (key: string) => Promise<string | null>;
}

/** How long a page waits for the store. */
const TIMEOUT_MS = 200;

/** How long an isolate uses the value that it has read. */
const MAX_AGE_MS = 10_000;

/**
 * Returns a function that reads the key `maintenance` of a store, at most once in ten seconds.
 *
 * While the store does not respond, the last value counts; without one the app is open, because an outage must not
 * switch on maintenance. A late response counts from then on.
 */
export function createMaintenanceSwitch(now: () => number) {
  const values = new WeakMap<KeyValueStore, { isOn: boolean; readAt: number }>();

  async function read(store: KeyValueStore): Promise<boolean | undefined> {
    try {
      const value = isOn(await store.get("maintenance"));
      values.set(store, { isOn: value, readAt: now() });
      return value;
    } catch {
      return undefined;
    }
  }

  /** @param waitUntil runs a promise after the response */
  return async (
    store: KeyValueStore,
    waitUntil: (promise: Promise<unknown>) => void = () => {},
  ): Promise<boolean> => {
    const cached = values.get(store);
    if (cached && now() - cached.readAt < MAX_AGE_MS) return cached.isOn;
    const reading = read(store);
    waitUntil(reading);
    const value = await resolveWithin(reading, TIMEOUT_MS);
    if (value !== undefined) return value;
    const wasOn = cached?.isOn ?? false;
    values.set(store, { isOn: wasOn, readAt: now() });
    return wasOn;
  };
}

/** Whether a variable or a stored value is on. */
export function isOn(value: unknown): boolean {
  return value === "1" || value === "true";
}
