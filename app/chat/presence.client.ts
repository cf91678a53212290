import { onDisconnect, onValue, ref, serverTimestamp, set, type Database } from "firebase/database";

import { presencePath, type Presence } from "./presence.ts";

/** How often a tab in the foreground says again that somebody is here. */
const RENEW_EVERY_MS = 10 * 60_000;

/**
 * Keeps `status/{uid}` at `online` while this page is connected, and returns how to leave, which
 * resolves when the database has the `offline`.
 *
 * A person has one record for all tabs, so a tab that is closed marks somebody offline who is still
 * here in another: whoever reads that of themselves while connected and visible says `online` again.
 * Only a deleted account takes the record away: whoever sees it go writes no other, not even a goodbye.
 */
export function announcePresence(db: Database, uid: string): () => Promise<void> {
  const status = ref(db, presencePath(uid));
  let isConnected = false;
  /** Whether the record is there, as far as is known; `gone` once it was and is no longer. */
  let record: "unknown" | "there" | "gone" = "unknown";

  async function announce() {
    if (record === "gone") return;
    // In this order, and at once: one socket keeps it, and whoever leaves in between comes after both.
    await Promise.all([
      onDisconnect(status).set(presence("offline")),
      set(status, presence("online")),
    ]);
  }

  function announceIfHere() {
    if (isConnected && document.visibilityState === "visible") void announce().catch(ignoreRefusal);
  }

  function vanish() {
    record = "gone";
    void onDisconnect(status).cancel().catch(ignoreRefusal);
  }

  const stopConnection = onValue(ref(db, ".info/connected"), (snapshot) => {
    isConnected = snapshot.val() === true;
    if (isConnected) void announce().catch(ignoreRefusal);
  });
  const stopStatus = onValue(
    status,
    (snapshot) => {
      if (snapshot.exists()) record = "there";
      else if (record === "there") vanish();
      if (snapshot.child("state").val() === "offline") announceIfHere();
    },
    ignoreRefusal,
  );
  const renewal = setInterval(announceIfHere, RENEW_EVERY_MS);
  document.addEventListener("visibilitychange", announceIfHere);

  return async () => {
    stopConnection();
    stopStatus();
    clearInterval(renewal);
    document.removeEventListener("visibilitychange", announceIfHere);
    if (!isConnected || record === "gone") return;
    await set(status, presence("offline"));
    await onDisconnect(status).cancel();
  };
}

/** Follows whether somebody is here, and returns how to stop. */
export function watchPresence(
  db: Database,
  uid: string,
  onChange: (state: Presence["state"] | null) => void,
): () => void {
  return onValue(
    ref(db, presencePath(uid)),
    (snapshot) => onChange(snapshot.child("state").val()),
    () => onChange(null),
  );
}

function presence(state: Presence["state"]) {
  return { state, last_changed: serverTimestamp() };
}

/** A refusal means that the sign-in ended under us; the page learns that from its own session. */
function ignoreRefusal() {}
