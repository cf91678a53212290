import type { FirebaseHosts } from "./hosts.ts";

/** The `demo-` prefix makes Firebase's own tools refuse to talk to a real project of this name. */
export const LOCAL_PROJECT_ID = "demo-inkglade";

/** Local servers accept any key, but the libraries want one. */
export const LOCAL_API_KEY = "local";

/** Returns the variables that make the app talk to local servers, without its secrets. */
export function localVariables(hosts: FirebaseHosts): Record<string, string> {
  return {
    FIREBASE_PROJECT_ID: LOCAL_PROJECT_ID,
    FIREBASE_API_KEY: LOCAL_API_KEY,
    // Off Cloudflare nobody knows where visitors are, but here they sit at this machine.
    TIME_ZONE: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...hosts,
  };
}
