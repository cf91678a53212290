/** How a person reads a clock. */
export interface Clock {
  /** A BCP 47 language tag. */
  locale: string;
  /** An IANA time zone. */
  timeZone: string;
}
