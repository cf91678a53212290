/** A place that somebody wanted to go to before they were sent to Sign In. */
export interface Wish {
  /** A path with its query. */
  to: string;
  /** What the place is called. */
  place: string;
}
