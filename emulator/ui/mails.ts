const MAX_MAILS = 100;

/** An e-mail that production would send. */
export interface Mail {
  /** The kind of e-mail, its recipient and the link. */
  text: string;
  sentAt: Date;
}

/** The newest 100 e-mails of this run, in memory. */
export class Mails {
  #newestFirst: readonly Mail[] = [];

  get newestFirst(): readonly Mail[] {
    return this.#newestFirst;
  }

  add(text: string): void {
    this.#newestFirst = [{ text, sentAt: new Date() }, ...this.#newestFirst].slice(0, MAX_MAILS);
  }

  clear(): void {
    this.#newestFirst = [];
  }
}
