import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { getDraftsPath } from "#app/writing/draft.ts";

/**
 * Reports each revision of a user's draft as soon as any device saves it. Does not report errors, because the next save
 * detects remote changes too.
 *
 * @returns a function that unsubscribes
 */
export function subscribeToDraft(
  firebase: FirebaseConfig,
  { uid, id }: { uid: string; id: string },
  onRevision: (revision: number) => void,
): () => void {
  let isStopped = false;
  let stop = () => {};

  async function start() {
    const { subscribeToUserDocument } = await import("#app/firebase/user-document.client.ts");
    if (isStopped) return;
    const path = `${getDraftsPath(uid)}/${id}`;
    stop = subscribeToUserDocument(firebase, { uid, path }, fetchToken, ({ revision }) => {
      if (typeof revision === "number") onRevision(revision);
    });
  }

  start().catch(() => {});
  return () => {
    isStopped = true;
    stop();
  };
}
