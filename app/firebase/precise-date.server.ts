/**
 * A time of Firestore. A `Date` would drop its microseconds, and so compare two times of one millisecond as equal.
 *
 * @see https://firebase.google.com/docs/firestore/manage-data/data-types
 */
export class PreciseDate extends Date {
  /** Milliseconds since the Unix epoch, with microseconds as a fraction. Such numbers are exact. */
  readonly time: number;

  constructor(time: number) {
    super(Math.floor(time));
    this.time = time;
  }

  /** @param text in Firestore's own format, which has up to nine decimals. Firestore sets only six. */
  static fromTimestamp(text: string): PreciseDate {
    const [, microseconds = ""] = /\.\d{3}(\d{1,3})/.exec(text) ?? [];
    return new PreciseDate(Date.parse(text) + Number(microseconds.padEnd(3, "0")) / 1000);
  }

  /** Returns the time in Firestore's own format. */
  override toISOString(): string {
    const microseconds = Math.round((this.time - this.getTime()) * 1000);
    return super.toISOString().replace("Z", `${String(microseconds).padStart(3, "0")}Z`);
  }
}
