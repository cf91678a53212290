const FIRST_MS = 2000;
const LONGEST_MS = 60_000;

/** The waits between attempts: each is twice as long as the one before, until an attempt succeeds. */
export class Backoff {
  #ms = FIRST_MS;
  #end = () => {};

  /** Returns how long to wait, in milliseconds. */
  next(): number {
    const wait = this.#ms;
    this.#ms = Math.min(wait * 2, LONGEST_MS);
    return wait;
  }

  reset(): void {
    this.#ms = FIRST_MS;
  }

  /** Resolves after the next wait, or when `wake` is called. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.next());
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  wake(): void {
    this.#end();
  }
}
