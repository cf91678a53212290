import type { AppLoadContext } from "@remix-run/cloudflare";

import type { DocumentSnapshot } from "#app/firebase/firestore-types.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { describeMute, readMute, type Mute } from "./mute.ts";

/** Returns the mute in a document if it has not ended. */
export function findMute(document: DocumentSnapshot | null | undefined, now: Date): Mute | null {
  if (!document) return null;
  const { until, reason } = document.fields;
  const mute = readMute({ until: until instanceof Date ? until.getTime() : null, reason });
  return mute && mute.until > now.getTime() ? mute : null;
}

/**
 * Requires that a user may post.
 *
 * @param document the user's mute, or `null`
 * @param now the database's time
 * @throws {ActionFailure}
 */
export function requireUnmuted(
  { request, context }: { request: Request; context: AppLoadContext },
  document: DocumentSnapshot | null | undefined,
  now: Date,
): void {
  const mute = findMute(document, now);
  if (!mute) return;
  throw new ActionFailure({
    reason: "muted",
    message: "Not sent.",
    hint: `${describeMute(mute, getLocale(request, context), now.getTime())} Reason: ${mute.reason}`,
  });
}
