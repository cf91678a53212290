import { RENEW_EVERY_MS } from "./readers.ts";

/** Several changes may arrive one after the other, for example from the user's other tabs. They cause one write. */
const UPDATE_AFTER_MS = 500;

/** After this many failures in a row, the next attempt is the next renewal. */
const MAX_RETRIES = 3;

export interface RenewalOptions {
  write: () => Promise<void>;
  /** Called when it is time to renew what was written. */
  renew: () => void;
}

/**
 * Writes a record again and again, until the signal is aborted. Returns `schedule`, which writes it soon, and `wait`, which
 * does nothing until it is time to renew it.
 */
export function createRenewal({ write, renew }: RenewalOptions, signal: AbortSignal) {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer));

  function wait() {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(renew, RENEW_EVERY_MS);
  }

  function schedule() {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => void writeNow(), UPDATE_AFTER_MS);
  }

  async function writeNow() {
    wait();
    try {
      await write();
      failures = 0;
    } catch {
      failures += 1;
      if (failures <= MAX_RETRIES) schedule();
    }
  }

  return { schedule, wait };
}
