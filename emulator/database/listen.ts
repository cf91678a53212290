import { z } from "zod";

import { isIndexMissing, canRead } from "./access.ts";
import { parseBody, type ActionContext } from "./action.ts";
import { createInvalidRequestError, createPermissionDeniedError } from "./errors.ts";
import { toExportJson } from "./to-json.ts";
import { getHash } from "./hash.ts";
import { formatPath, parsePath } from "./path.ts";
import { applyQuery, isFiltering, querySchema } from "./query.ts";
import { requirePublicPath } from "./info.ts";
import { toListenKey, sendPush } from "./session.ts";
import { getAt } from "./tree.ts";

const bodySchema = z.object({
  p: z.string(),
  q: z.unknown().optional(),
  t: z.number().optional(),
  /** The hash of the data that the client already has. */
  h: z.string().optional(),
});

/** Starts a listen. Pushes the data before the response, unless the client's hash shows that it has the data. */
export function listen({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, q: rawQuery, t: tag, h } = parseBody(bodySchema, body);
  const query = parseBody(querySchema, rawQuery ?? {});
  requirePublicPath(p);
  if (tag === undefined && isFiltering(query))
    throw createInvalidRequestError("A filtered listen needs a tag.");
  const path = parsePath(p);
  if (!canRead(database, session.identity, path, query, now)) throw createPermissionDeniedError();

  const lastSent = applyQuery(getAt(database.root, path), query);
  session.listens.set(toListenKey(path, tag), { path, query, rawQuery, tag, lastSent });
  if (h !== getHash(lastSent)) {
    sendPush(session, "d", { p: formatPath(path), d: toExportJson(lastSent), t: tag });
  }
  return isIndexMissing(database, path, query) ? { w: ["no_index"] } : {};
}
