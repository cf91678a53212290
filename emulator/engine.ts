export interface EngineOptions {
  projectId: string;
  /** Port of the Auth server, 0 for a free one. Auth is not started when absent. */
  authPort?: number;
  /** Port of the Firestore server, 0 for a free one. Firestore is not started when absent. */
  firestorePort?: number;
  rulesPath: string;
  indexesPath: string;
  /** A folder that `exportTo` has written. */
  importFrom?: string;
  /** Whether `exportTo` will be called. */
  canExport: boolean;
  /** Called with messages for the terminal. */
  log: (message: string) => void;
  /** Called with a message for each link that production would e-mail. */
  onActionLink: (message: string) => void;
}

/** Running Auth and Firestore servers. */
export interface Engine {
  name: "fireemu" | "google";
  /** `host:port`, when started. */
  authHost?: string;
  firestoreHost?: string;
  /** Resolves when a server has ended unexpectedly, with its last error message. */
  exited: Promise<string>;
  /** Writes all accounts and documents in Firebase's own export format. */
  exportTo(folder: string): Promise<void>;
  stop(): Promise<void>;
}
