import { useCallback, useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { useTabState } from "./chat-provider.tsx";
import type { startPresence } from "./presence.client.ts";

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
  end(): void;
}

/**
 * Creates the presence sessions of a tab. A session waits for the end of the one before it, which may be another user's:
 * both use the same connection, and each is signed in to Firebase for itself.
 *
 * A failed session is silent: without presence the chat works, but users do not see each other.
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
      uid: string,
      onTyping: (uids: string[]) => void,
    ): PresenceSession {
      let hasEnded = false;
      let typingTimer: ReturnType<typeof setTimeout> | undefined;

      const started = Promise.all([load(), previous])
        .then(([module]) =>
          hasEnded ? null : module.startPresence(firebase, uid, fetchToken, onTyping),
        )
        .catch(() => null);

      function setTyping(isTyping: boolean) {
        void started.then((presence) => {
          if (!hasEnded) presence?.setTyping(isTyping);
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

        end() {
          hasEnded = true;
          clearTimeout(typingTimer);
          previous = started.then((presence) => presence?.end()).catch(() => {});
        },
      };
    },
  };
}

/**
 * Keeps a user present in the room while `isOpen`; does nothing for visitors.
 *
 * Returns the uids of the other users who are typing, and the functions that report this user's typing.
 *
 * @throws outside of `ChatProvider`
 */
export function usePresence(firebase: FirebaseConfig, uid: string | undefined, isOpen: boolean) {
  const sessions = useTabState(createPresenceSessions);
  const [typingUids, setTypingUids] = useState<string[]>([]);
  const current = useRef<PresenceSession>();

  useEffect(() => {
    if (!isOpen || uid === undefined) return;
    const session = sessions.start(firebase, uid, setTypingUids);
    current.current = session;
    return () => {
      current.current = undefined;
      setTypingUids([]);
      session.end();
    };
  }, [sessions, firebase, uid, isOpen]);

  const onKeystroke = useCallback(() => current.current?.onKeystroke(), []);
  const stopTyping = useCallback(() => current.current?.stopTyping(), []);
  return { typingUids, onKeystroke, stopTyping };
}
