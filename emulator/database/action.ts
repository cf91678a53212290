import { z } from "zod";

import type { Database } from "./database.ts";
import { invalidRequest } from "./errors.ts";
import type { Session } from "./session.ts";

/** What an action works on. */
export interface ActionContext {
  readonly database: Database;
  readonly session: Session;
  /** Ms since epoch, read once per request. */
  readonly now: number;
}

/** Does what one kind of request asks for and returns the payload of its answer; a refusal is thrown. */
export type Action = (context: ActionContext, body: unknown) => unknown;

/** The body of every action that names a place and brings data. */
export const placedDataSchema = z.object({ p: z.string(), d: z.unknown() });

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
  if (!result.success) throw invalidRequest(z.prettifyError(result.error));
  return result.data;
}
