import type { FirebaseConfig } from "#app/firebase/config.ts";
import { subscribeToUserDocument } from "#app/firebase/user-document.client.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";

export interface PositionSubscriptionOptions {
  story: string;
  uid: string;
  firebase: FirebaseConfig;
  /** Called after each change with the stored time, unvalidated: milliseconds since the Unix epoch. */
  onChange: (time: unknown) => void;
}

/** Subscribes to the position in a user's account. Returns a function that unsubscribes. */
export function subscribeToPosition({
  story,
  uid,
  firebase,
  onChange,
}: PositionSubscriptionOptions): () => void {
  const path = `${getPositionsPath(uid)}/${story}`;
  return subscribeToUserDocument(firebase, { uid, path }, fetchToken, ({ time }) => onChange(time));
}
