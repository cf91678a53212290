import { z } from "zod";

import { canRead } from "./access.ts";
import { parseBody, type ActionContext } from "./action.ts";
import { createPermissionDeniedError } from "./errors.ts";
import { toExportJson } from "./to-json.ts";
import { findInfo } from "./info.ts";
import { parsePath } from "./path.ts";
import { applyQuery, querySchema } from "./query.ts";
import { getAt } from "./tree.ts";

const bodySchema = z.object({ p: z.string(), q: querySchema.optional() });

/** Reads once. The payload of the response is the data itself. */
export function get({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, q: query = {} } = parseBody(bodySchema, body);
  const infoValue = findInfo(p);
  if (infoValue !== undefined) return infoValue;

  const path = parsePath(p);
  if (!canRead(database, session.identity, path, query, now)) throw createPermissionDeniedError();
  return toExportJson(applyQuery(getAt(database.root, path), query));
}
