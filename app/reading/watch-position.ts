import type { FirebaseConfig } from "#app/firebase/config.ts";
import { subscribeToUserDocument } from "#app/firebase/user-document.client.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { positionsPath } from "./position.ts";

export interface WatchOptions {
  story: string;
  uid: string;
  firebase: FirebaseConfig;
  /** Called with the time of each change, in milliseconds since the Unix epoch, as it is stored. */
  onChange: (time: unknown) => void;
}

/** Subscribes to the position in a user's account. Returns how to unsubscribe. */
export function watchPosition({ story, uid, firebase, onChange }: WatchOptions): () => void {
  const path = `${positionsPath(uid)}/${story}`;
  return subscribeToUserDocument(firebase, { uid, path }, fetchToken, ({ time }) => onChange(time));
}
