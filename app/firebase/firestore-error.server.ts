import * as z from "zod";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";

/** Firestore rejected a request. `code` is a gRPC status code, such as `PERMISSION_DENIED`. */
export class FirestoreError extends Error {
  override name = "FirestoreError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(`Firestore: ${code}: ${message}`);
    this.code = code;
  }
}

/** The rules don't allow the request. */
export class PermissionDeniedError extends FirestoreError {
  override name = "PermissionDeniedError";
}

/** The ID token is invalid or has expired. */
export class UnauthenticatedError extends FirestoreError {
  override name = "UnauthenticatedError";
}

/** A precondition failed (the document exists, does not exist or has changed), or another commit got in between. */
export class FailedPreconditionError extends FirestoreError {
  override name = "FailedPreconditionError";
}

const errorSchema = z.object({
  error: z.object({ code: z.int(), message: z.string(), status: z.string() }),
});

/** Returns the part of a response that may be an error: for `batchGet` and `runQuery`, the last item of the list. */
function findErrorItem(body: unknown): unknown {
  const items: unknown[] = Array.isArray(body) ? body : [body];
  return items.find((item) => typeof item === "object" && item !== null && "error" in item);
}

/**
 * Returns the error in a response of Firestore's REST API, or `undefined` when it contains none.
 *
 * @param body `undefined` when it is not JSON
 * @see https://cloud.google.com/apis/design/errors
 */
export function findFirestoreError(
  httpStatus: number,
  body: unknown,
): FirestoreError | UnavailableError | undefined {
  const item = findErrorItem(body);
  // Zod is slow, and few responses are errors, so it sees only items that have an error.
  const error = item === undefined ? undefined : errorSchema.safeParse(item).data?.error;
  if (httpStatus < 400 && !error) return undefined;
  const status = httpStatus < 400 ? (error?.code ?? 500) : httpStatus;
  const code = error?.status ?? CODES[status] ?? "UNKNOWN";
  const message = error?.message ?? `status ${status}`;
  if (status >= 500 || status === 429) {
    return new UnavailableError(`Firestore: ${code}: ${message}`);
  }
  const FirestoreErrorOfCode = ERRORS[code] ?? FirestoreError;
  return new FirestoreErrorOfCode(code, message);
}

const CODES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
};

/** Whether the rules or a precondition of a commit, which another commit may have changed, rejected it. */
export function isRejected(error: unknown): boolean {
  return error instanceof PermissionDeniedError || error instanceof FailedPreconditionError;
}

const ERRORS: Record<string, typeof FirestoreError> = {
  ABORTED: FailedPreconditionError,
  ALREADY_EXISTS: FailedPreconditionError,
  FAILED_PRECONDITION: FailedPreconditionError,
  NOT_FOUND: FailedPreconditionError,
  PERMISSION_DENIED: PermissionDeniedError,
  UNAUTHENTICATED: UnauthenticatedError,
};

/**
 * Waits for a read that the rules allow. Firestore may still reject it when the user's token was revoked or the rules
 * are not deployed yet.
 *
 * @throws {UnavailableError} when Firestore rejects the read or does not respond
 */
export async function requireRead<Result>(read: Promise<Result>): Promise<Result> {
  try {
    return await read;
  } catch (cause) {
    if (!(cause instanceof FirestoreError)) throw cause;
    throw new UnavailableError("Firestore rejected a read", { cause });
  }
}
