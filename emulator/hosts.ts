/**
 * The variables that point Firebase's libraries and this app to local servers, each as `host:port`. All but the last are
 * Firebase's own.
 */
export interface FirebaseHosts {
  FIREBASE_AUTH_EMULATOR_HOST: string;
  FIRESTORE_EMULATOR_HOST: string;
  FIREBASE_DATABASE_EMULATOR_HOST: string;
  GOOGLE_EMULATOR_HOST: string;
}

/** Returns the servers that are already running, according to the environment variables. */
export function getExistingHosts(env: Record<string, string | undefined>): Partial<FirebaseHosts> {
  const hosts: Partial<FirebaseHosts> = {};
  for (const name of [
    "FIREBASE_AUTH_EMULATOR_HOST",
    "FIRESTORE_EMULATOR_HOST",
    "FIREBASE_DATABASE_EMULATOR_HOST",
  ] as const) {
    const host = env[name];
    if (host) hosts[name] = host;
  }
  return hosts;
}
