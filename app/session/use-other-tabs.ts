import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const CHANNEL = "session";

/** What tabs tell each other: who is signed in, as far as they know. Our own origin only. */
type Uid = string | null;

let isFollowing = false;

/**
 * Tells whether a page is being asked for anew only because somebody signed in or out elsewhere. What
 * is written on it must stay then, though the page is no longer theirs.
 */
export function isFollowingOtherTab(): boolean {
  return isFollowing;
}

/** Call before a page is asked for anew because its pop-up has signed somebody in. */
export function noteSignInElsewhere(): void {
  isFollowing = true;
}

/**
 * Keeps the tabs of a browser of one mind about who is signed in, by asking the server again once
 * another tab has come to know better. So does a page that comes back as it was left.
 */
export function useOtherTabs(uid: Uid): void {
  const { revalidate, state } = useRevalidator();

  useEffect(() => {
    if (state === "idle") isFollowing = false;
  }, [state, uid]);

  useEffect(() => {
    const channel = openChannel();
    channel?.postMessage(uid);

    function follow() {
      // Each of several tabs says what they all have learned.
      if (isFollowing) return;
      // Without a network there is nothing to ask, and the page would give way to an error.
      if (!navigator.onLine) return;
      isFollowing = true;
      revalidate();
    }
    channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data !== uid) follow();
    });
    const comeBack = ({ persisted }: PageTransitionEvent) => void (persisted && follow());
    window.addEventListener("pageshow", comeBack);
    return () => {
      channel?.close();
      window.removeEventListener("pageshow", comeBack);
    };
  }, [uid, revalidate]);
}

/** Returns `null` where a browser does not let tabs talk, as one that is to store nothing. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}
