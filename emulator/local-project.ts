import type { FirebaseHosts } from "./hosts.ts";

/** With the `demo-` prefix, Firebase's own tools never connect to a real project. */
export const LOCAL_PROJECT_ID = "demo-inkglade";

/** Local servers accept any key, but the libraries require one. */
export const LOCAL_API_KEY = "local";

/** Returns the environment variables that point the app to local servers, without its secrets. */
export function getLocalVariables(hosts: FirebaseHosts): Record<string, string> {
  return {
    FIREBASE_PROJECT_ID: LOCAL_PROJECT_ID,
    FIREBASE_API_KEY: LOCAL_API_KEY,
    // In production Cloudflare provides the visitor's time zone. Locally it is this machine's.
    TIME_ZONE: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...hosts,
  };
}
