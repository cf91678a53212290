/** The user that requests are made as, or `null` for anyone. */
export type FirestoreUser = { readonly idToken: string | null } | null;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** @default 30 s */
  timeoutMs?: number | undefined;
  /** Whether an error is logged. A caller that asks with every page may leave that to others. @default true */
  isLogged?: boolean;
}

/** A document's values by the names of its fields. Times are `Date`. */
export type Fields = Record<string, unknown>;

export interface DocumentSnapshot {
  id: string;
  /** Below the database's root. */
  path: string;
  fields: Fields;
  /** As the database writes it, for a precondition. */
  updateTime: string;
}

export interface BatchGetResult {
  /** In the order of the paths; `null` for documents that do not exist. */
  documents: (DocumentSnapshot | null)[];
  /** The database's time. */
  readTime: Date;
}

export interface QueryOptions {
  /** All conditions must hold. */
  where?: readonly (readonly [
    field: string,
    operator: "==" | "<" | "<=" | ">" | ">=",
    value: unknown,
  ])[];
  /** @default by id, ascending */
  orderBy?: readonly [field: string, direction?: "asc" | "desc"];
  /** The path of a document: returns only those after it. For documents ordered by id. */
  startAfter?: string | undefined;
  limit: number;
  /** Whether documents are returned without their fields. @default false */
  isKeysOnly?: boolean;
}

/** Firestore checks one of the two. */
interface Precondition {
  /** Whether the document must exist, or must not. */
  exists?: boolean;
  /** The document must not have changed since then. Wins over `exists`. */
  updateTime?: string | undefined;
}

/** Sets some fields of a document and leaves its others alone. */
export interface UpdateWrite extends Precondition {
  path: string;
  fields: Fields;
  /** Fields that the database sets to the time of the commit. */
  serverTimestamps?: string[];
}

export interface DeleteWrite extends Precondition {
  path: string;
  delete: true;
}

export type Write = UpdateWrite | DeleteWrite;

export interface CommitResult {
  /** The database's time. */
  commitTime: Date;
  /** In the order of the writes. */
  writes: {
    /** `undefined` for a deleted document. */
    updateTime: string | undefined;
    /** The values of the fields named in `serverTimestamps`. */
    serverTimestamps: Fields;
  }[];
}

/**
 * Firestore as one user. Each method makes one request, and rejects with
 *
 * - `UnavailableError` when Firestore does not answer in time, fails or is overloaded, and when the user's ID token has
 *   expired and cannot be renewed now;
 * - `PermissionDeniedError`, `UnauthenticatedError`, `FailedPreconditionError` or another `FirestoreError` when
 *   Firestore refuses the request;
 * - `TypeError` when a part of a path is not an id;
 * - the signal's reason when the caller aborts.
 */
export interface Firestore {
  /** Returns a document, or `null` when it does not exist. */
  get(path: string, options?: CallOptions): Promise<DocumentSnapshot | null>;
  /** Returns several documents as they are at one moment. It fails when the user may not read one of them. */
  batchGet(paths: readonly string[], options?: CallOptions): Promise<BatchGetResult>;
  /** Returns documents of the collection at a path. */
  query(path: string, query: QueryOptions, options?: CallOptions): Promise<DocumentSnapshot[]>;
  /** Makes all of these writes, 500 at most, or none. After an `UnavailableError` they may have been made. */
  commit(writes: readonly Write[], options?: CallOptions): Promise<CommitResult>;
}
