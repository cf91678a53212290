import { useCallback, useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { retry } from "#app/http/wait.ts";
import type { User } from "#app/session/user.ts";
import { useTabState } from "./chat-provider.tsx";
import type { Mute } from "./moderation/mute.ts";
import type { PresenceListeners, PresentUser, startPresence } from "./presence.client.ts";
import type { PeopleHere, Person } from "./presence.ts";

/** A user who has not pressed a key for this long has stopped typing. */
const TYPING_ENDS_AFTER_MS = 3000;

interface PresenceModule {
  startPresence: typeof startPresence;
}

/** One user's presence in the room, from opening the chat panel to closing it or signing out. */
interface PresenceSession {
  /** Sets the user as typing until 3 s after the last call. */
  onKeystroke(): void;
  stopTyping(): void;
  /** Sets whether the user is not shown to others, in all their tabs and devices. */
  setUnseen(isUnseen: boolean): void;
  end(): void;
}

/**
 * Creates the presence sessions of a tab. A session waits for the end of the one before it, which may be another
 * user's.
 *
 * Errors are not reported: without presence the chat works, but users do not see each other. A session that cannot
 * start tries again, with growing delays.
 *
 * @param load fetches the Firebase SDK, when the first session starts
 */
export function createPresenceSessions(
  load: () => Promise<PresenceModule> = () => import("./presence.client.ts"),
) {
  let previous: Promise<unknown> = Promise.resolve();

  return {
    start(
      firebase: FirebaseConfig,
      user: PresentUser,
      listeners: PresenceListeners,
    ): PresenceSession {
      const controller = new AbortController();
      const { signal } = controller;
      let typingTimer: ReturnType<typeof setTimeout> | undefined;
      const previousEnd = previous;
      const started = retry(async () => {
        const [module] = await Promise.all([load(), previousEnd]);
        return signal.aborted ? null : await module.startPresence(firebase, user, listeners);
      }, signal).catch(() => null);

      function setTyping(isTyping: boolean) {
        void started.then((presence) => {
          if (!signal.aborted) presence?.setTyping(isTyping);
        });
      }

      function stopTyping() {
        if (typingTimer === undefined) return;
        clearTimeout(typingTimer);
        typingTimer = undefined;
        setTyping(false);
      }

      return {
        onKeystroke() {
          if (typingTimer === undefined) setTyping(true);
          clearTimeout(typingTimer);
          typingTimer = setTimeout(stopTyping, TYPING_ENDS_AFTER_MS);
        },

        stopTyping,

        setUnseen(isUnseen) {
          void started.then((presence) => {
            if (!signal.aborted) presence?.setUnseen(isUnseen);
          });
        },

        end() {
          controller.abort();
          clearTimeout(typingTimer);
          previous = started.then((presence) => presence?.end()).catch(() => {});
        },
      };
    },
  };
}

/** What a user sees of the others. */
export interface RoomPresence {
  /** The users who are here, including this user; `null` while unknown, and for visitors. */
  here: PeopleHere | null;
  /** The other users who are typing. */
  typing: Person[];
  /** Whether the user is not shown to others; `null` while unknown, and for visitors. */
  isUnseen: boolean | null;
  /** Why and until when the user may not post; `null` if they may, `undefined` while unknown, and for visitors. */
  mute: Mute | null | undefined;
}

const UNKNOWN: RoomPresence = { here: null, typing: [], isUnseen: null, mute: undefined };

/**
 * Keeps a user present in the room while `isOpen`, unless they are unseen; does nothing for visitors.
 *
 * Returns who else is here, and the functions that report this user's typing and set the unseen mode.
 *
 * @throws outside of `ChatProvider`
 */
export function usePresence(firebase: FirebaseConfig, user: User | null, isOpen: boolean) {
  const sessions = useTabState(createPresenceSessions);
  const [room, setRoom] = useState(UNKNOWN);
  const current = useRef<PresenceSession>();
  const { uid, displayName = null, photoURL = null } = user ?? {};

  useEffect(() => {
    if (!isOpen || uid === undefined) return;
    let hasEnded = false;
    function change(changed: Partial<RoomPresence>) {
      if (!hasEnded) setRoom((previous) => ({ ...previous, ...changed }));
    }
    const session = sessions.start(
      firebase,
      { uid, displayName, photoURL },
      {
        onPeople: (here) => change({ here }),
        onTyping: (typing) => change({ typing }),
        onUnseen: (isUnseen) => change({ isUnseen }),
        onMute: (mute) => change({ mute }),
      },
    );
    current.current = session;
    return () => {
      hasEnded = true;
      current.current = undefined;
      session.end();
      setRoom(UNKNOWN);
    };
    // A new name or photo needs a new token.
  }, [sessions, firebase, uid, displayName, photoURL, isOpen]);

  const onKeystroke = useCallback(() => current.current?.onKeystroke(), []);
  const stopTyping = useCallback(() => current.current?.stopTyping(), []);
  const setUnseen = useCallback((isUnseen: boolean) => current.current?.setUnseen(isUnseen), []);
  return { ...room, onKeystroke, stopTyping, setUnseen };
}
