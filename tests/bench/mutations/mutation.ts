/** One small change to the logic, and the tests that ought to notice it. */
export interface Mutation {
  /** What no longer holds. */
  name: string;
  file: string;
  /** Stands in the file exactly once. */
  original: string;
  replacement: string;
  /** Files of Vitest. */
  tests: string[];
}
