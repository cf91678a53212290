import { z } from "zod";

import { lacksIndex, mayRead } from "./access.ts";
import { parseBody, type ActionContext } from "./action.ts";
import { invalidRequest, permissionDenied } from "./errors.ts";
import { toExportForm } from "./export-form.ts";
import { hashOf } from "./hash.ts";
import { formatPath, parsePath } from "./path.ts";
import { applyQuery, isFiltering, querySchema } from "./query.ts";
import { requirePublicPath } from "./info.ts";
import { listenKey, push } from "./session.ts";
import { getAt } from "./tree.ts";

const bodySchema = z.object({
  p: z.string(),
  q: z.unknown().optional(),
  t: z.number().optional(),
  /** The hash of what the client holds already, for whatever reason. */
  h: z.string().optional(),
});

/** Starts a listen: pushes the data, unless the client's hash shows that it has it, and only then answers. */
export function listen({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, q: rawQuery, t: tag, h } = parseBody(bodySchema, body);
  const query = parseBody(querySchema, rawQuery ?? {});
  requirePublicPath(p);
  if (tag === undefined && isFiltering(query))
    throw invalidRequest("A filtered listen needs a tag.");
  const path = parsePath(p);
  if (!mayRead(database, session.identity, path, query, now)) throw permissionDenied();

  const known = applyQuery(getAt(database.root, path), query);
  session.listens.set(listenKey(path, tag), { path, query, rawQuery, tag, known });
  if (h !== hashOf(known)) {
    push(session, "d", { p: formatPath(path), d: toExportForm(known), t: tag });
  }
  return lacksIndex(database, path, query) ? { w: ["no_index"] } : {};
}
