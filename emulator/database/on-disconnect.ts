import { parseBody, pathAndDataSchema, type ActionContext } from "./action.ts";
import type { Database } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import { requirePublicPath } from "./info.ts";
import { cancelPendingWrites, addPendingWrite } from "./pending-writes.ts";
import { parseMerge, parsePut, type Change } from "./parse-data.ts";
import { parsePath } from "./path.ts";
import type { Session } from "./session.ts";
import { requireAllowedResult, write } from "./write.ts";

/** Schedules a put for the end of the connection. The rules are checked now and again when it runs. */
export function onDisconnectPut(context: ActionContext, body: unknown): unknown {
  const { p, d } = parseBody(pathAndDataSchema, body);
  requirePublicPath(p);
  return addPendingWrites(context, [parsePut(p, d)]);
}

/** Schedules a merge for the end of the connection. */
export function onDisconnectMerge(context: ActionContext, body: unknown): unknown {
  const { p, d } = parseBody(pathAndDataSchema, body);
  requirePublicPath(p);
  return addPendingWrites(context, parseMerge(p, d));
}

/** Cancels the writes scheduled at and below a path. */
export function onDisconnectCancel({ session }: ActionContext, body: unknown): unknown {
  const { p } = parseBody(pathAndDataSchema.pick({ p: true }), body);
  requirePublicPath(p);
  session.onDisconnect = cancelPendingWrites(session.onDisconnect, parsePath(p));
  return "";
}

function addPendingWrites({ database, session, now }: ActionContext, changes: Change[]): "" {
  requireAllowedResult(database, session.identity, changes, now);
  session.onDisconnect = changes.reduce(addPendingWrite, session.onDisconnect);
  return "";
}

/**
 * Runs the scheduled writes as the last user of the connection. Server values are resolved now. A second call does
 * nothing.
 */
export function runOnDisconnect(
  database: Database,
  session: Session,
  now: number /* milliseconds since the Unix epoch */,
): void {
  const writes = session.onDisconnect;
  session.onDisconnect = [];
  if (writes.length === 0) return;

  // Tries all writes together first, because rules may require several at once. If that is denied, each may still be
  // allowed alone.
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
