/** How many people a user can hide. Only the server counts them. */
export const MAX_HIDDEN = 500;

/** A person whose messages the user has hidden. */
export interface HiddenPerson {
  uid: string;
  /** The name that was shown when the user hid them. */
  name: string;
}

/** Returns the path of the people that a user has hidden, below the database's root. */
export function getHiddenPath(uid: string): string {
  return `users/${uid}/hidden`;
}
