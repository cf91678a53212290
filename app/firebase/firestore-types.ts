/** The user that makes the requests, or `null` for requests without a user. */
export type FirestoreUser = { readonly idToken: string | null } | null;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** @default 30 s */
  timeoutMs?: number | undefined;
  /** Whether errors are logged. Turn it off for requests that every page makes, to keep the log short. @default true */
  isLogged?: boolean;
}

/** A document's values by field name. Timestamps are `PreciseDate`, those in lists and maps `Date`. */
export type Fields = Record<string, unknown>;

export interface DocumentSnapshot {
  id: string;
  /** Relative to the database's root. */
  path: string;
  fields: Fields;
  /** In the database's own format. */
  createTime: string;
  /** In the database's own format, to be used in a precondition. */
  updateTime: string;
}

export interface BatchGetResult {
  /** In the order of the paths; `null` for documents that do not exist. */
  documents: (DocumentSnapshot | null)[];
  /** The time of the read, by the database's clock. */
  readTime: Date;
}

export interface QueryOptions {
  /** All conditions must hold. */
  where?: readonly (readonly [
    field: string,
    operator: "==" | "<" | "<=" | ">" | ">=" | "in" | "array-contains",
    value: unknown,
  ])[];
  /** @default by id, ascending */
  orderBy?: readonly [field: string, direction?: "asc" | "desc"];
  /**
   * Only documents after this one are returned: its path, or with `orderBy` its value of that field and its path.
   * Documents with equal values are ordered by id, in the same direction.
   */
  startAfter?: string | readonly [value: unknown, path: string] | undefined;
  limit: number;
  /** The names of the fields to return. @default all */
  fields?: readonly string[];
  /** Whether documents are returned without their fields. @default false */
  isKeysOnly?: boolean;
}

/** A condition of a write. Firestore checks only one of these. */
export interface Precondition {
  /** Whether the document must exist, or must not. */
  exists?: boolean;
  /** The document must still have this update time. Takes precedence over `exists`. */
  updateTime?: string | undefined;
}

/** Sets some fields of a document and leaves the others unchanged. */
export interface UpdateWrite extends Precondition {
  path: string;
  fields: Fields;
  /** Fields that the database sets to the time of the commit. */
  serverTimestamps?: string[];
  /** Numbers that the database adds to fields. A missing field counts as 0. */
  increments?: Record<string, number>;
}

export interface DeleteWrite extends Precondition {
  path: string;
  delete: true;
}

export type Write = UpdateWrite | DeleteWrite;

export interface CommitResult {
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
 * - `UnavailableError` when Firestore does not respond in time, fails or is overloaded, and when the user's ID token
 *   has expired and cannot be renewed now;
 * - `PermissionDeniedError`, `UnauthenticatedError`, `FailedPreconditionError` or another `FirestoreError` when
 *   Firestore rejects the request;
 * - `TypeError` when a part of a path is not an id;
 * - the signal's reason when the caller aborts the request.
 */
export interface Firestore {
  /** Returns a document, or `null` when it does not exist. */
  get(path: string, options?: CallOptions): Promise<DocumentSnapshot | null>;
  /** Returns several documents, all read at the same time. Rejects when the user may not read one of them. */
  batchGet(
    paths: readonly string[],
    options?: CallOptions & Pick<QueryOptions, "fields">,
  ): Promise<BatchGetResult>;
  /** Returns documents in the collection at a path. */
  query(path: string, query: QueryOptions, options?: CallOptions): Promise<DocumentSnapshot[]>;
  /** Makes up to 500 writes atomically. After an `UnavailableError` they may or may not have been made. */
  commit(writes: readonly Write[], options?: CallOptions): Promise<CommitResult>;
}
