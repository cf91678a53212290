/** What the browser needs to reach Firebase. None of it is secret. */
export interface FirebaseConfig {
  apiKey: string;
  projectId: string;
  appId: string | undefined;
  databaseURL: string | undefined;
  /** `host:port` of each emulator that replaces a Google server. */
  emulators: Partial<Record<"auth" | "firestore" | "database", string>>;
}
