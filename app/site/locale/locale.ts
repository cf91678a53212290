/** How times and dates are written for a user. */
export interface Locale {
  /** A BCP 47 language tag. */
  language: string;
  /** An IANA time zone. */
  timeZone: string;
}
