/** The page that a user is taken back to after signing in. */
export interface ReturnTo {
  /** A path on this site, with its query and hash. */
  path: string;
  /** The page's name when the profile offers a link to it; `null` when sign-in leads straight to it. */
  label: string | null;
}

/** Returns the address of Sign In that leads back to a path on this site. */
export function getSignInPath(returnTo: string): string {
  return `/login?${new URLSearchParams({ returnTo })}`;
}
