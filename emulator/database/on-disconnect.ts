import { parseBody, placedDataSchema, type ActionContext } from "./action.ts";
import type { Database } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import { requirePublicPath } from "./info.ts";
import { forget, remember } from "./on-disconnect-tree.ts";
import { parseMerge, parsePut, type Change } from "./parse-data.ts";
import { parsePath } from "./path.ts";
import type { Session } from "./session.ts";
import { requireAllowed, write } from "./write.ts";

/** Notes a put for when the connection ends. Rules are asked now, and again when it is done. */
export function onDisconnectPut(context: ActionContext, body: unknown): unknown {
  const { p, d } = parseBody(placedDataSchema, body);
  requirePublicPath(p);
  return rememberAll(context, [parsePut(p, d)]);
}

/** Notes a merge for when the connection ends. */
export function onDisconnectMerge(context: ActionContext, body: unknown): unknown {
  const { p, d } = parseBody(placedDataSchema, body);
  requirePublicPath(p);
  return rememberAll(context, parseMerge(p, d));
}

/** Forgets what was noted at and below a path. */
export function onDisconnectCancel({ session }: ActionContext, body: unknown): unknown {
  const { p } = parseBody(placedDataSchema.pick({ p: true }), body);
  requirePublicPath(p);
  session.onDisconnect = forget(session.onDisconnect, parsePath(p));
  return "";
}

function rememberAll({ database, session, now }: ActionContext, changes: Change[]): "" {
  requireAllowed(database, session.identity, changes, now);
  session.onDisconnect = changes.reduce(remember, session.onDisconnect);
  return "";
}

/**
 * Does what was noted, as the person the connection last belonged to. Server values are worked out now.
 * A second call does nothing.
 */
export function runOnDisconnect(
  database: Database,
  session: Session,
  now: number /* ms since epoch */,
): void {
  const writes = session.onDisconnect;
  session.onDisconnect = [];
  if (writes.length === 0) return;

  // Together first, since rules may ask for several of them at once; what they refuse may still be fine alone.
  if (tryWrite(database, session, writes, now) || writes.length === 1) return;
  for (const change of writes) tryWrite(database, session, [change], now);
}

function tryWrite(
  database: Database,
  session: Session,
  changes: readonly Change[],
  now: number,
): boolean {
  try {
    write(database, session.identity, changes, now);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError) return false;
    throw error;
  }
}
