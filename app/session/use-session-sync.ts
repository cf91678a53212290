import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

import { openChannel, SESSION_CHANNEL } from "#app/http/browser-tabs.ts";

/** The message between tabs of this site: the user that the sending tab shows as signed in. */
type Uid = string | null;

let isSyncing = false;

/**
 * Whether the page revalidates only because the user signed in or out in another tab or a pop-up. Such a revalidation
 * must not discard unsaved text.
 */
export function isSyncingSession(): boolean {
  return isSyncing;
}

/** Call before revalidating a page after its pop-up has signed the user in. */
export function startSessionSync(): void {
  isSyncing = true;
}

/** Revalidates when another tab reports a different user, and when the page is restored from the back/forward cache. */
export function useSessionSync(uid: Uid): void {
  const { revalidate, state } = useRevalidator();

  useEffect(() => {
    if (state === "idle") isSyncing = false;
  }, [state, uid]);

  useEffect(() => {
    const channel = openChannel(SESSION_CHANNEL);
    channel?.postMessage(uid);

    function sync() {
      // Several tabs may report the same change.
      if (isSyncing) return;
      isSyncing = true;
      revalidate();
    }
    channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data !== uid) sync();
    });
    const onPageShow = ({ persisted }: PageTransitionEvent) => void (persisted && sync());
    window.addEventListener("pageshow", onPageShow);
    return () => {
      channel?.close();
      window.removeEventListener("pageshow", onPageShow);
    };
  }, [uid, revalidate]);
}
