/** The page to return to after sign-in. */
export interface ReturnTo {
  /** A path on this site, with its query and hash. */
  path: string;
  /** The label of the profile's link to the page; `null` when sign-in redirects to it. */
  label: string | null;
}

/** Returns the path of Sign In that returns to a path on this site. */
export function getSignInPath(returnTo: string): string {
  return `/login?${new URLSearchParams({ returnTo })}`;
}
