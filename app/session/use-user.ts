import { createContext, useContext } from "react";

import type { User } from "./user.ts";

/** Provided by the root route. */
export const UserContext = createContext<User | null>(null);

/** Returns the signed-in user from the root loader; `null` when signed out. */
export function useUser(): User | null {
  return useContext(UserContext);
}
