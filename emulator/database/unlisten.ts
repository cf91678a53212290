import { z } from "zod";

import { parseBody, type ActionContext } from "./action.ts";
import { removeListen } from "./listens.ts";
import { parsePath } from "./path.ts";
import { toListenKey } from "./session.ts";

const bodySchema = z.object({ p: z.string(), t: z.number().optional() });

/** Ends the listen with this path and tag. A default and a filtered listen may have the same path. */
export function unlisten({ database, session }: ActionContext, body: unknown): unknown {
  const { p, t } = parseBody(bodySchema, body);
  const listen = session.listens.get(toListenKey(parsePath(p), t));
  if (listen) removeListen(database, listen);
  return "";
}
