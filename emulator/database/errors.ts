/** The statuses of a response besides `ok`. */
export type ErrorStatus =
  | "permission_denied"
  | "datastale"
  | "invalid_token"
  | "too_big"
  | "failure"
  | "unavailable"
  | "internal_error";

/** Rejects a request. Sent as a response on the socket, and as an HTTP error over REST. */
export class DatabaseError extends Error {
  readonly status: ErrorStatus;

  constructor(status: ErrorStatus, message: string) {
    super(message);
    this.name = "DatabaseError";
    this.status = status;
  }
}

/** Returns the error for a read or write that the rules deny. */
export function createPermissionDeniedError(): DatabaseError {
  return new DatabaseError("permission_denied", "Permission denied");
}

/** Returns the error for a request that is invalid for every client. */
export function createInvalidRequestError(message: string): DatabaseError {
  return new DatabaseError("failure", message);
}
