import { createContext, useContext } from "react";

/** The length of the longest name that the profile's form accepts, in UTF-16 units. Accounts can have longer ones. */
export const MAX_NAME_LENGTH = 80;

/** Firebase Authentication rejects shorter passwords. Counted in UTF-16 units, without trimming. */
export const MIN_PASSWORD_LENGTH = 6;

/** How many of a user's sessions are listed: those that were used last. More than most users have. */
export const MAX_LISTED_SESSIONS = 100;

/** The signed-in user, from the claims of the ID token. */
export interface User {
  uid: string;
  email: string;
  /** `null` when the user has not chosen a name. */
  displayName: string | null;
  photoURL: string | null;
}

/** The signed-in user with what the server needs to act as them. */
export interface AuthUser extends User {
  /** Firebase's token for requests as this user; `null` while an expired token cannot be renewed. */
  idToken: string | null;
  sessionId: string;
  /** Whether the user moderates the room. The claim is set by `npm run operator`; the rules check it. */
  isOperator: boolean;
}

/** A user with the token for requests as them. */
export type UserWithToken = Pick<AuthUser, "uid" | "idToken">;

/** Returns the fields that pages may contain, without the token. */
export function toUser({ uid, email, displayName, photoURL }: User): User {
  return { uid, email, displayName, photoURL };
}

/** Provided by the root route. */
export const UserContext = createContext<User | null>(null);

/** Returns the signed-in user from the root loader; `null` when signed out. */
export function useUser(): User | null {
  return useContext(UserContext);
}
