/** Waits for the next second, because a token that was issued in the same second as a revocation stays valid. */
export function nextSecond(): Promise<void> {
  return new Promise((resolve) => {
    // Timers may fire a millisecond early.
    setTimeout(resolve, 1002 - (Date.now() % 1000));
  });
}
