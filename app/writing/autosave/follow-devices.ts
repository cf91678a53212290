import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { draftsPath } from "#app/writing/draft.ts";
import type { DraftFields } from "#app/writing/editor/draft-fields.ts";
import type { DraftKeeper } from "./autosave.ts";
import { fetchDraft } from "./fetch-draft.ts";

const RETRY_MS = 5000;

/**
 * Lets a keeper know, as soon as it happens, what the same person saves of its draft on another device, and returns how to
 * stop. `onFollow` is told what the form is to hold then. Where it fails, the next save tells of the other's.
 */
export function followDevices(
  keeper: DraftKeeper,
  uid: string,
  firebase: FirebaseConfig,
  onFollow: (fields: DraftFields) => void,
): () => void {
  let isStopped = false;
  let stop = () => {};
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function look(revision: number) {
    clearTimeout(retry);
    try {
      const fields = await keeper.learn(revision, () => fetchDraft(keeper.id));
      if (fields) onFollow(fields);
    } catch {
      // Whoever comes back from offline hears of it again.
      if (!isStopped) retry = setTimeout(() => void look(revision), RETRY_MS);
    }
  }

  async function start() {
    const { watchOwnDocument } = await import("#app/firebase/user-document.client.ts");
    if (isStopped) return;
    const path = `${draftsPath(uid)}/${keeper.id}`;
    stop = watchOwnDocument(firebase, { uid, path }, fetchToken, ({ revision }) => {
      if (typeof revision === "number") void look(revision);
    });
  }

  start().catch(() => {});
  return () => {
    isStopped = true;
    clearTimeout(retry);
    stop();
  };
}
