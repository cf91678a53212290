import { z } from "zod";

import { parseBody, type ActionContext } from "./action.ts";
import { parsePath } from "./path.ts";
import { listenKey } from "./session.ts";

const bodySchema = z.object({ p: z.string(), t: z.number().optional() });

/** Ends the listen with exactly this path and tag; a default and a filtered one may share a path. */
export function unlisten({ session }: ActionContext, body: unknown): unknown {
  const { p, t } = parseBody(bodySchema, body);
  session.listens.delete(listenKey(parsePath(p), t));
  return "";
}
