import type { FirebaseApp } from "firebase/app";
import {
  connectDatabaseEmulator,
  forceWebSockets,
  getDatabase,
  goOffline,
  goOnline,
  onValue,
  ref,
  type Database,
} from "firebase/database";

import type { FirebaseConfig } from "./config.ts";

/** The first wait for a connection. Each further one is twice as long. */
const FIRST_WAIT_MS = 20_000;
const MAX_WAIT_MS = 60_000;

/** The shortest time between two attempts of this module. The SDK makes others. */
const MIN_WAIT_MS = 10_000;

/** Connects an app to the Realtime Database. Call it only once per app. */
export function connectDatabase(app: FirebaseApp, { emulators }: FirebaseConfig): Database {
  // After a failed socket, the SDK would use long polling from then on, which loads scripts that our CSP forbids.
  forceWebSockets();
  const database = getDatabase(app);
  if (emulators.database) {
    const { hostname, port } = new URL(`http://${emulators.database}`);
    connectDatabaseEmulator(database, hostname, Number(port));
  }
  return database;
}

/** A connection to the Realtime Database that reconnects when it is lost. */
export interface MaintainedConnection {
  resume(): void;
  pause(): void;
  /** Disconnects permanently. */
  end(): void;
}

/**
 * Connects, and reconnects until it is paused.
 *
 * After many failures the SDK waits up to five minutes before its next attempt, unless the browser goes online. So this
 * function tries when the page becomes visible, and at least once a minute.
 */
export function maintainConnection(db: Database): MaintainedConnection {
  let isPaused = false;
  let isConnected = false;
  let waitMs = FIRST_WAIT_MS;
  let triedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect() {
    triedAt = Date.now();
    // Does nothing while the SDK is connecting. Otherwise it tries at once, and its waits are short again.
    goOnline(db);
  }

  function schedule() {
    clearTimeout(timer);
    if (isPaused || isConnected) return;
    // Many browsers lose the connection at the same time, and should not all reconnect at the same time.
    const delayMs = waitMs * (0.5 + Math.random() / 2);
    timer = setTimeout(() => {
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
      connect();
      schedule();
    }, delayMs);
  }

  function onVisibilityChange() {
    if (isPaused || isConnected || document.visibilityState !== "visible") return;
    if (Date.now() - triedAt < MIN_WAIT_MS) return;
    waitMs = FIRST_WAIT_MS;
    connect();
    schedule();
  }

  function resume() {
    isPaused = false;
    connect();
    schedule();
  }

  function pause() {
    isPaused = true;
    clearTimeout(timer);
    goOffline(db);
  }

  const unsubscribe = onValue(ref(db, ".info/connected"), (snapshot) => {
    isConnected = snapshot.val() === true;
    if (isConnected) waitMs = FIRST_WAIT_MS;
    schedule();
  });
  document.addEventListener("visibilitychange", onVisibilityChange);
  resume();

  return {
    resume,
    pause,
    end() {
      document.removeEventListener("visibilitychange", onVisibilityChange);
      unsubscribe();
      pause();
    },
  };
}
