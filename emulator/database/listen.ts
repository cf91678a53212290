import { z } from "zod";

import { isIndexMissing, canRead } from "./access.ts";
import { parseBody, type ActionContext } from "./action.ts";
import { createInvalidRequestError, createPermissionDeniedError } from "./errors.ts";
import { toExportJson } from "./to-json.ts";
import { isHashOf } from "./hash.ts";
import { addListen } from "./listens.ts";
import { getOrder } from "./order.ts";
import { formatPath, parsePath, type Path } from "./path.ts";
import { applyQuery, getIndex, isFiltering, querySchema, selectRange } from "./query.ts";
import { requirePublicPath } from "./info.ts";
import { sendPush } from "./session.ts";
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
  const ruleReads: Path[] = [];
  if (!canRead(database, session.identity, path, query, now, ruleReads))
    throw createPermissionDeniedError();

  const node = getAt(database.root, path);
  const range = isFiltering(query) ? selectRange(getOrder(node, getIndex(query)), query) : null;
  addListen(database, { session, path, query, rawQuery, tag, range, ruleReads });
  const data = applyQuery(node, query);
  if (!isHashOf(data, h)) {
    sendPush(session, "d", { p: formatPath(path), d: toExportJson(data), t: tag });
  }
  return isIndexMissing(database, path, query) ? { w: ["no_index"] } : {};
}
