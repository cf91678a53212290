/** Waits for the next second of the clock: sessions end by the second, and one that began in that of a change outlives it. */
export function nextSecond(): Promise<void> {
  return new Promise((resolve) => {
    // A timer may be early by a millisecond.
    setTimeout(resolve, 1002 - (Date.now() % 1000));
  });
}
