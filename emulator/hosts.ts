/** The standard variables that lead Firebase's libraries, and this app, to local servers. Each holds `host:port`. */
export interface FirebaseHosts {
  FIREBASE_AUTH_EMULATOR_HOST: string;
  FIRESTORE_EMULATOR_HOST: string;
  FIREBASE_DATABASE_EMULATOR_HOST: string;
}

/** Returns the servers a person already runs, as their environment names them. */
export function givenHosts(env: NodeJS.ProcessEnv): Partial<FirebaseHosts> {
  return {
    FIREBASE_AUTH_EMULATOR_HOST: env.FIREBASE_AUTH_EMULATOR_HOST || undefined,
    FIRESTORE_EMULATOR_HOST: env.FIRESTORE_EMULATOR_HOST || undefined,
    FIREBASE_DATABASE_EMULATOR_HOST: env.FIREBASE_DATABASE_EMULATOR_HOST || undefined,
  };
}
