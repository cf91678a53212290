/** A small change to the code, and the tests that must fail because of it. */
export interface Mutation {
  /** The behaviour that the change breaks. */
  name: string;
  file: string;
  /** Must occur in the file exactly once. */
  original: string;
  replacement: string;
  /** Vitest files. */
  tests: string[];
}
