/** How dates and times are formatted for the user. */
export interface Clock {
  /** A BCP 47 language tag. */
  locale: string;
  /** An IANA time zone. */
  timeZone: string;
}
