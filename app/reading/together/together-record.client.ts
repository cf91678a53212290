import {
  equalTo,
  limitToFirst,
  onDisconnect,
  onValue,
  orderByChild,
  query,
  ref,
  remove,
  serverTimestamp,
  set,
  type DataSnapshot,
} from "firebase/database";

import { ANONYMOUS } from "#app/chat/message.ts";
import { getProfile, subscribeToUnseen, type PresentUser } from "#app/chat/presence.client.ts";
import { isVisible } from "#app/http/text.ts";
import type { UserConnection } from "#app/session/user-connection.client.ts";
import { createRenewal } from "#app/stories/readers/renewal.client.ts";
import {
  getTogetherPath,
  MAX_FELLOW_READERS,
  STALE_AFTER_MS,
  TOGETHER_PATH,
  type FellowReader,
  type TogetherRecord,
} from "#app/stories/readers/together.ts";

export interface TogetherListeners {
  /** The others who read the story; `null` while unknown, and in the unseen mode. */
  onReaders: (readers: FellowReader[] | null) => void;
  /** Whether the user is not shown to others. */
  onUnseen: (isUnseen: boolean) => void;
}

/** A user who reads a story together with others. */
export interface Together {
  /** Shows the others where the user is. Until the first call, the user is not shown, and sees nobody. */
  setPart: (part: number) => void;
}

/**
 * Shows a user to those who read the same story and want to be seen too, and those to the user, until the signal is aborted.
 * All tabs of the user share one record, which names the story in which they have read last. Tabs with other stories then
 * show nobody, as the rules require.
 */
export function startTogether(
  connection: Pick<UserConnection, "getDatabase" | "getClaims" | "discard">,
  { user, story }: { user: PresentUser; story: string },
  { onReaders, onUnseen }: TogetherListeners,
  signal: AbortSignal,
): Together {
  const db = connection.getDatabase();
  const own = ref(db, getTogetherPath(user.uid));
  const ofStory = query(
    ref(db, TOGETHER_PATH),
    orderByChild("story"),
    equalTo(story),
    limitToFirst(MAX_FELLOW_READERS),
  );
  let part: number | undefined;
  let isConnected = false;
  let isUnseen: boolean | null = null;
  /** How far the database's clock is ahead of this device's. */
  let clockOffset = 0;
  /** The story that the user's record names. */
  let ownStory: unknown = null;
  let snapshot: DataSnapshot | null = null;
  let unwatch: (() => void) | undefined;
  const { schedule, wait } = createRenewal({ write, renew }, signal);

  const isShown = () =>
    !signal.aborted &&
    isConnected &&
    isUnseen === false &&
    part !== undefined &&
    document.visibilityState === "visible";

  async function write() {
    if (!isShown()) return;
    const { name } = await getProfile(connection, user);
    if (!isShown()) return;
    const record = { story, part, name, time: serverTimestamp() };
    // Sent together, so that a removal after the abort comes after both.
    await Promise.all([onDisconnect(own).remove(), set(own, record)]);
    // Not before, because the rules show the others only to those who are shown.
    if (isShown() && ownStory === story) watch();
  }

  function watch() {
    unwatch ??= onValue(
      ofStory,
      (value) => {
        snapshot = value;
        notify();
      },
      stopWatching,
    );
  }

  function stopWatching() {
    unwatch?.();
    unwatch = undefined;
    snapshot = null;
    notify();
  }

  function notify() {
    if (!signal.aborted)
      onReaders(snapshot && readOthers(snapshot, user.uid, Date.now() + clockOffset));
  }

  /** Renews the record of a visible page, and removes that of a page that was hidden until now. */
  function renew() {
    // Records do not become old when the database reports no change.
    notify();
    if (ownStory !== null && ownStory !== story) return;
    if (document.visibilityState === "visible") schedule();
    else removeOwn();
  }

  function removeOwn() {
    remove(own).catch(ignore);
    // Not before, in case the connection is lost between the two.
    onDisconnect(own).cancel().catch(ignore);
  }

  function onVisibility() {
    if (document.visibilityState === "visible") schedule();
    else wait();
  }

  const unsubscribes = [
    onValue(ref(db, ".info/serverTimeOffset"), (value) => {
      clockOffset = Number(value.val());
    }),
    onValue(ref(db, ".info/connected"), (value) => {
      isConnected = value.val() === true;
      if (isConnected) schedule();
      else stopWatching();
    }),
    subscribeToUnseen(db, user.uid, (value) => {
      isUnseen = value;
      // The setting can be read until the session ends.
      if (value === null) connection.discard();
      else onUnseen(value);
      if (value === false) schedule();
      else stopWatching();
    }),
    onValue(
      own,
      (value) => {
        ownStory = value.child("story").val();
        if (ownStory !== story) stopWatching();
        // The record is removed when another tab of the user is closed.
        if (ownStory === null) schedule();
      },
      ignore,
    ),
  ];
  document.addEventListener("visibilitychange", onVisibility, { signal });
  signal.addEventListener("abort", () => {
    unwatch?.();
    for (const unsubscribe of unsubscribes) unsubscribe();
    // The record may be that of another tab with another story.
    if (ownStory === story) removeOwn();
  });

  return {
    setPart(next) {
      if (next === part) return;
      part = next;
      schedule();
    },
  };
}

/** Returns the others of a story, in the order of their names. */
function readOthers(snapshot: DataSnapshot, ownUid: string, time: number): FellowReader[] {
  const others: FellowReader[] = [];
  snapshot.forEach((child) => {
    const record: unknown = child.val();
    if (child.key === ownUid || !isRecord(record) || record.time <= time - STALE_AFTER_MS) return;
    const { part, name } = record;
    others.push({ uid: child.key, part, name: isVisible(name) ? name : ANONYMOUS });
  });
  return others.toSorted((a, b) => a.name.localeCompare(b.name) || (a.uid < b.uid ? -1 : 1));
}

/** Does not use Zod, which would add 24 KB. */
function isRecord(value: unknown): value is Pick<TogetherRecord, "part" | "name" | "time"> {
  if (typeof value !== "object" || value === null) return false;
  const { part, name, time }: { [key in keyof TogetherRecord]?: unknown } = value;
  return typeof part === "number" && typeof name === "string" && typeof time === "number";
}

/** Ignores the error when the rules deny access, because the session has ended. */
function ignore() {}
