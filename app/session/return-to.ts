/** The page to return to after sign-in. */
export interface ReturnTo {
  /** A path on this site, with its query and hash. */
  path: string;
  /** The label of the profile's link to the page; `null` when sign-in redirects to it. */
  label: string | null;
}

/** What the user has to sign in for. */
export const SIGN_IN_REASONS = ["write", "chat", "follow", "thank", "report"] as const;

export type SignInReason = (typeof SIGN_IN_REASONS)[number];

/** Returns the path of Sign In that shows the reason and returns to a path on this site. */
export function getSignInPath(returnTo: string, reason: SignInReason): string {
  return `/login?${new URLSearchParams({ returnTo, reason })}`;
}
