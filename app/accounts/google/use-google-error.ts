import { createContext, useContext } from "react";

/** Why signing in with Google failed, when the whole page went there and came back. */
export interface GoogleError {
  /** The screen that the user started from. */
  screen: string;
  message: string;
  hint?: string | undefined;
}

/** Provided by the root route. */
export const GoogleErrorContext = createContext<GoogleError | null>(null);

/** Returns the error if the user started from this screen. */
export function useGoogleError(screen: string): GoogleError | undefined {
  const error = useContext(GoogleErrorContext);
  return error?.screen === screen ? error : undefined;
}
