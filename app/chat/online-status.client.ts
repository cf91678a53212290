import { onDisconnect, onValue, ref, serverTimestamp, set, type Database } from "firebase/database";

import { statusPath, type OnlineStatus } from "./presence.ts";

/** How often a tab in the foreground renews the status. */
const RENEW_EVERY_MS = 10 * 60_000;

/**
 * Keeps `status/{uid}` at `online` while this page is connected. Returns the function that ends this, which resolves once
 * the database has `offline`.
 *
 * All tabs of a user share one record, so closing one of them sets it to `offline`: a connected, visible tab that reads
 * this sets it to `online` again. Only the deletion of the account removes the record; then it is never written again.
 */
export function setOnline(db: Database, uid: string): () => Promise<void> {
  const status = ref(db, statusPath(uid));
  let isConnected = false;
  /** `deleted` once the record has been read and is gone. */
  let record: "unknown" | "exists" | "deleted" = "unknown";

  async function writeOnline() {
    if (record === "deleted") return;
    // Sent together, in this order: a later `offline` follows both.
    await Promise.all([
      onDisconnect(status).set(createStatus("offline")),
      set(status, createStatus("online")),
    ]);
  }

  function renew() {
    if (isConnected && document.visibilityState === "visible") void writeOnline().catch(ignore);
  }

  function onDeleted() {
    record = "deleted";
    void onDisconnect(status).cancel().catch(ignore);
  }

  const unsubscribeConnection = onValue(ref(db, ".info/connected"), (snapshot) => {
    isConnected = snapshot.val() === true;
    if (isConnected) void writeOnline().catch(ignore);
  });
  const unsubscribeStatus = onValue(
    status,
    (snapshot) => {
      if (snapshot.exists()) record = "exists";
      else if (record === "exists") onDeleted();
      if (snapshot.child("state").val() === "offline") renew();
    },
    ignore,
  );
  const renewal = setInterval(renew, RENEW_EVERY_MS);
  document.addEventListener("visibilitychange", renew);

  return async () => {
    unsubscribeConnection();
    unsubscribeStatus();
    clearInterval(renewal);
    document.removeEventListener("visibilitychange", renew);
    if (!isConnected || record === "deleted") return;
    await set(status, createStatus("offline"));
    await onDisconnect(status).cancel();
  };
}

/** Subscribes to a user's status, and returns the function that unsubscribes. */
export function subscribeToStatus(
  db: Database,
  uid: string,
  onChange: (state: OnlineStatus["state"] | null) => void,
): () => void {
  return onValue(
    ref(db, statusPath(uid)),
    (snapshot) => onChange(snapshot.child("state").val()),
    () => onChange(null),
  );
}

function createStatus(state: OnlineStatus["state"]) {
  return { state, last_changed: serverTimestamp() };
}

/** The rules deny access once the sign-in has ended; the page is notified of that by its own session. */
function ignore() {}
