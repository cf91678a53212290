/** Resolves after `ms` milliseconds. In a module of its own, so that tests can mock it. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
