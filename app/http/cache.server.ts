/** Old entries are forgotten beyond this many. */
const MAX_REMEMBERED = 1000;

/** Remembers the last answer to each question in this isolate, for a while. */
export function createLastAnswers<T>(maxAgeMs: number, now: () => number) {
  const answers = new Map<string, { answer: T; at: number }>();
  return {
    /** Returns the answer, or `undefined` when there is none that is young enough. */
    find(key: string): T | undefined {
      const known = answers.get(key);
      return known && now() - known.at < maxAgeMs ? known.answer : undefined;
    },
    set(key: string, answer: T): void {
      answers.delete(key);
      answers.set(key, { answer, at: now() });
      if (answers.size <= MAX_REMEMBERED) return;
      const [oldest] = answers.keys();
      if (oldest !== undefined) answers.delete(oldest);
    },
    delete: (key: string): void => void answers.delete(key),
  };
}
