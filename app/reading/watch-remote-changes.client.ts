import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchJson } from "#app/http/fetch-json.ts";
import { getPositionsPath, type ReadingPosition } from "#app/stories/positions/position.ts";
import type { ReadingData } from "./reading-data.ts";

/** After being hidden for this long, the page looks for changes that were made on other pages and devices. */
const MIN_HIDDEN_MS = 30_000;

export interface WatchRemoteChangesOptions {
  story: Pick<ReadingData, "id" | "updatedAt">;
  /** `undefined` for visitors, who have no other device. */
  uid: string | undefined;
  firebase: FirebaseConfig;
  /** Whether a position saved at that time is from elsewhere, and newer than this page's own. */
  isNew: (time: unknown) => boolean;
  onPosition: (position: ReadingPosition) => void;
  /** Called when the story has changed. */
  onUpdate: () => void;
  signal: AbortSignal;
}

/**
 * Watches the position in the user's account, and counts the user as a reader who has the story open. Looks for a new
 * version of the story when the user returns to the page.
 */
export function watchRemoteChanges(options: WatchRemoteChangesOptions): void {
  const { story, uid, firebase, isNew, onPosition, onUpdate, signal } = options;

  async function findPosition() {
    const position = await fetchPosition(story.id);
    if (signal.aborted || !position || !isNew(position.time)) return;
    // This page may show an older version of the text without that paragraph.
    if (document.getElementById(position.paragraph)) onPosition(position);
  }

  async function findUpdate() {
    const updatedAt = await fetchUpdateTime(story.id);
    if (!signal.aborted && updatedAt !== null && updatedAt !== story.updatedAt) onUpdate();
  }

  async function subscribe(user: string) {
    const { subscribeToUserDocument } = await import("#app/session/user-connection.client.ts");
    const path = `${getPositionsPath(user)}/${story.id}`;
    const onData = ({ time }: { time?: unknown }) => void (isNew(time) && findPosition());
    subscribeToUserDocument(firebase, { uid: user, path }, onData, signal);
  }

  async function count(user: string) {
    const { countReader } = await import("./counted-reader.client.ts");
    await countReader(firebase, { uid: user, story: story.id }, signal);
  }

  if (uid !== undefined) {
    void subscribe(uid).catch(() => undefined);
    void count(uid).catch(() => undefined);
  }
  onReturn(() => {
    if (uid !== undefined) void findPosition();
    if (story.updatedAt !== null) void findUpdate();
  }, signal);
}

function onReturn(callback: () => void, signal: AbortSignal): void {
  let hiddenAt = document.visibilityState === "hidden" ? Date.now() : Infinity;
  function onChange() {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > MIN_HIDDEN_MS) callback();
  }
  document.addEventListener("visibilitychange", onChange, { signal });
}

/** Returns the position in the user's account; `null` if there is none or it cannot be read now. */
function fetchPosition(story: string): Promise<ReadingPosition | null> {
  return fetchJson(
    `/reading-positions?story=${encodeURIComponent(story)}`,
    (json) => ("position" in json ? (json.position as ReadingPosition | null) : null), // from our own server
  );
}

/** Returns when the story was last changed; `null` if it cannot be read now. */
function fetchUpdateTime(story: string): Promise<number | null> {
  return fetchJson(`/story-status?story=${encodeURIComponent(story)}`, (json) =>
    "updatedAt" in json && typeof json.updatedAt === "number" ? json.updatedAt : null,
  );
}
