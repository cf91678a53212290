/** An error in a rules file, with its position. */
export class RulesError extends Error {
  /** Starts at 1. */
  readonly line: number;
  /** Starts at 1. */
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
