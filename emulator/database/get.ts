import { z } from "zod";

import { mayRead } from "./access.ts";
import { parseBody, type ActionContext } from "./action.ts";
import { permissionDenied } from "./errors.ts";
import { toExportForm } from "./export-form.ts";
import { findInfo } from "./info.ts";
import { parsePath } from "./path.ts";
import { applyQuery, querySchema } from "./query.ts";
import { getAt } from "./tree.ts";

const bodySchema = z.object({ p: z.string(), q: querySchema.optional() });

/** Reads once; the data is the payload of the answer itself. */
export function get({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, q: query = {} } = parseBody(bodySchema, body);
  const info = findInfo(p);
  if (info !== undefined) return info;

  const path = parsePath(p);
  if (!mayRead(database, session.identity, path, query, now)) throw permissionDenied();
  return toExportForm(applyQuery(getAt(database.root, path), query));
}
