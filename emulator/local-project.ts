import type { FirebaseHosts } from "./hosts.ts";

/** The `demo-` prefix makes Firebase's own tools refuse to talk to a real project of this name. */
export const LOCAL_PROJECT_ID = "demo-inkglade";

/** Local servers accept any key, but the libraries require one. */
export const LOCAL_API_KEY = "local";

/** Returns the environment variables that point the app to local servers, without its secrets. */
export function localVariables(hosts: FirebaseHosts): Record<string, string> {
  return {
    FIREBASE_PROJECT_ID: LOCAL_PROJECT_ID,
    FIREBASE_API_KEY: LOCAL_API_KEY,
    // Only Cloudflare knows a visitor's time zone. Locally it is that of this machine.
    TIME_ZONE: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...hosts,
  };
}
