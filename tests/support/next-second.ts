/** Waits for the next second. Tokens are dated in seconds, so one issued in the second of a revocation stays valid. */
export function nextSecond(): Promise<void> {
  return new Promise((resolve) => {
    // Timers may fire a millisecond early.
    setTimeout(resolve, 1002 - (Date.now() % 1000));
  });
}
