/**
 * The variables that lead Firebase's libraries, and this app, to local servers. Each holds `host:port`. All are standard
 * but the last.
 */
export interface FirebaseHosts {
  FIREBASE_AUTH_EMULATOR_HOST: string;
  FIRESTORE_EMULATOR_HOST: string;
  FIREBASE_DATABASE_EMULATOR_HOST: string;
  GOOGLE_EMULATOR_HOST: string;
}

/** Returns the servers a person already runs, as their environment names them. */
export function givenHosts(env: NodeJS.ProcessEnv): Partial<FirebaseHosts> {
  const given: Partial<FirebaseHosts> = {};
  for (const name of [
    "FIREBASE_AUTH_EMULATOR_HOST",
    "FIRESTORE_EMULATOR_HOST",
    "FIREBASE_DATABASE_EMULATOR_HOST",
  ] as const) {
    const host = env[name];
    if (host) given[name] = host;
  }
  return given;
}
