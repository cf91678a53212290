import { z } from "zod";

import { parseBody, placedDataSchema, type ActionContext } from "./action.ts";
import { DatabaseError } from "./errors.ts";
import { hashOf } from "./hash.ts";
import { requirePublicPath } from "./info.ts";
import { parsePut } from "./parse-data.ts";
import { getAt } from "./tree.ts";
import { write } from "./write.ts";

const bodySchema = placedDataSchema.extend({
  /** Makes the put a transaction: the hash of the data it was computed from. */
  h: z.string().optional(),
});

/**
 * Replaces the data at a path.
 *
 * @throws DatabaseError `datastale` when a transaction was computed from other data. The client retries at once
 * with what it has been pushed, which is always the newest: pushes go out with the write that causes them.
 */
export function put({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, d, h } = parseBody(bodySchema, body);
  requirePublicPath(p);
  const change = parsePut(p, d);
  if (h !== undefined && h !== hashOf(getAt(database.root, change.path))) {
    throw new DatabaseError("datastale", "Transaction hash does not match");
  }
  write(database, session.identity, [change], now);
  return "";
}
