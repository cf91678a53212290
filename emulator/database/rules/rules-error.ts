/** Says what is wrong with a rules file, and where. */
export class RulesError extends Error {
  /** Counted from 1, as editors do. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;

  constructor(source: string, offset: number, message: string) {
    const before = source.slice(0, offset).split(/\r\n|\n|\r/);
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    super(`${line}:${column}: ${message}`);
    this.name = "RulesError";
    this.line = line;
    this.column = column;
  }
}
