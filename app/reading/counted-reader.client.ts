import { getUnseenPath } from "#app/chat/presence.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { retry } from "#app/http/wait.ts";
import { connectUser } from "#app/session/user-connection.client.ts";
import { maintainRecord } from "#app/stories/readers/reader-record.client.ts";
import { getUncountedPath } from "#app/stories/readers/readers.ts";

/**
 * Counts a user among those who have a story open, until the signal is aborted or the connection is lost. A user counts
 * once per story, however many tabs they have, and not while they are unseen or have chosen not to count.
 */
export async function countReader(
  config: FirebaseConfig,
  { uid, story }: { uid: string; story: string },
  signal: AbortSignal,
): Promise<void> {
  const connection = await retry(() => connectUser(config, uid, signal), signal);
  if (!connection) return;
  const settings = [getUnseenPath(uid), getUncountedPath(uid)];
  maintainRecord(connection, { uid, story, settings }, signal);
}
