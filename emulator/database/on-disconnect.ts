import { parseBody, pathAndDataSchema, type ActionContext } from "./action.ts";
import type { Database } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import { requirePublicPath } from "./info.ts";
import { cancelPendingWrites, addPendingWrite, type PendingWrites } from "./pending-writes.ts";
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
export function onDisconnectCancel({ database, session }: ActionContext, body: unknown): unknown {
  const { p } = parseBody(pathAndDataSchema.pick({ p: true }), body);
  requirePublicPath(p);
  const writes = cancelPendingWrites(session.onDisconnect, parsePath(p));
  return setPendingWrites(database, session, writes);
}

function addPendingWrites({ database, session, now }: ActionContext, changes: Change[]): "" {
  requireAllowedResult(database, session.identity, changes, now);
  const writes = changes.reduce(addPendingWrite, session.onDisconnect);
  return setPendingWrites(database, session, writes);
}

/** @throws DatabaseError `unavailable` when the writes cannot be saved; nothing is changed then. */
function setPendingWrites(database: Database, session: Session, writes: PendingWrites): "" {
  database.journal?.recordSession(database.namespace, session.id, session.identity, writes);
  session.onDisconnect = writes;
  return "";
}

/**
 * Runs the scheduled writes as the last user of the connection. Server values are resolved now. A second call does
 * nothing. Writes that cannot be saved now run at the next start.
 */
export function runOnDisconnect(
  database: Database,
  session: Session,
  now: number /* milliseconds since the Unix epoch */,
): void {
  const writes = session.onDisconnect;
  session.onDisconnect = [];
  if (writes.length === 0) return;

  try {
    // Tries all writes together first, because rules may require several at once. If that is denied, each may still be
    // allowed alone.
    if (!tryWrite(database, session, writes, now) && writes.length > 1) {
      for (const change of writes) tryWrite(database, session, [change], now);
    }
    setPendingWrites(database, session, []);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
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
    if (error instanceof DatabaseError && !isUnavailable(error)) return false;
    throw error;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && error.status === "unavailable";
}
