/** The status texts a response may carry besides `ok`. */
export type ErrorStatus =
  | "permission_denied"
  | "datastale"
  | "invalid_token"
  | "too_big"
  | "failure"
  | "internal_error";

/** Refuses one request; the connection and the REST handler turn it into their own kind of answer. */
export class DatabaseError extends Error {
  readonly status: ErrorStatus;

  constructor(status: ErrorStatus, message: string) {
    super(message);
    this.name = "DatabaseError";
    this.status = status;
  }
}

/** Returns the refusal for a read or write that the rules do not allow. */
export function permissionDenied(): DatabaseError {
  return new DatabaseError("permission_denied", "Permission denied");
}

/** Returns the refusal for a request that could never succeed, whoever sends it. */
export function invalidRequest(message: string): DatabaseError {
  return new DatabaseError("failure", message);
}
