/** The signed-in user, as the claims of their ID token describe them. */
export interface User {
  uid: string;
  email: string;
  /** `null` when the user has not chosen a name. */
  displayName: string | null;
  photoURL: string | null;
}

/** The signed-in user, for the server: what it needs to act as them. */
export interface AuthUser extends User {
  /** Firebase's token for the requests made as this user; `null` while an expired one cannot be renewed. */
  idToken: string | null;
  sessionId: string;
}

/** A user and the token for requests as them. */
export interface TokenUser {
  uid: string;
  idToken: string;
}

/** Returns what pages may show of the user: no token. */
export function toUser({ uid, email, displayName, photoURL }: User): User {
  return { uid, email, displayName, photoURL };
}
