import { parseBody, pathAndDataSchema, type ActionContext } from "./action.ts";
import { requirePublicPath } from "./info.ts";
import { parseMerge } from "./parse-data.ts";
import { write } from "./write.ts";

/** Replaces the data at several paths at once. */
export function merge({ database, session, now }: ActionContext, body: unknown): unknown {
  const { p, d } = parseBody(pathAndDataSchema, body);
  requirePublicPath(p);
  write(database, session.identity, parseMerge(p, d), now);
  return "";
}
