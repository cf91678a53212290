import { createContext, useContext } from "react";

/** The uid of the user whose profile the page shows. */
export const ProfileUidContext = createContext("");

/** Tells the action whose page the form is on. Another user may sign in from another tab meanwhile. */
export function UidField() {
  return <input type="hidden" name="uid" value={useContext(ProfileUidContext)} />;
}
