import { z } from "zod";

import type { Database } from "./database.ts";
import { createInvalidRequestError } from "./errors.ts";
import type { Session } from "./session.ts";

/** The database and session that an action applies to. */
export interface ActionContext {
  readonly database: Database;
  readonly session: Session;
  /** Milliseconds since the Unix epoch, read once per request. */
  readonly now: number;
}

/**
 * Handles one kind of request and returns the payload of the response.
 *
 * @throws DatabaseError to reject the request
 */
export type Action = (context: ActionContext, body: unknown) => unknown;

/** The body of every action with a path and data. */
export const pathAndDataSchema = z.object({ p: z.string(), d: z.unknown() });

/**
 * Parses the body of a request.
 *
 * @throws DatabaseError `failure`
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const result = schema.safeParse(body);
  if (!result.success) throw createInvalidRequestError(z.prettifyError(result.error));
  return result.data;
}
