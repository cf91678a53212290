/** Resolves after so many milliseconds. A module of its own, so that tests can replace it. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
