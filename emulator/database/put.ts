import { z } from "zod";

import { parseBody, pathAndDataSchema, type ActionContext } from "./action.ts";
import { DatabaseError } from "./errors.ts";
import { isHashOf } from "./hash.ts";
import { requirePublicPath } from "./info.ts";
import { parsePut } from "./parse-data.ts";
import { getAt } from "./tree.ts";
import { write } from "./write.ts";

const bodySchema = pathAndDataSchema.extend({
  /** Makes the put a transaction: the hash of the data that it was computed from. */
  h: z.string().optional(),
});

/**
 * Replaces the data at a path.
 *
 * @throws DatabaseError `datastale` when a transaction was computed from outdated data. The client retries at once with
 * the current data, which it already has: each write pushes its changes before anything else is handled.
 */
export function put({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, d, h } = parseBody(bodySchema, body);
  requirePublicPath(p);
  const change = parsePut(p, d);
  if (h !== undefined && !isHashOf(getAt(database.root, change.path), h)) {
    throw new DatabaseError("datastale", "Transaction hash does not match");
  }
  write(database, session.identity, [change], now);
  return "";
}
