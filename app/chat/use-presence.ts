import { useCallback, useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { noteDeparture } from "./end-presence.ts";
import type { Company } from "./room-presence.client.ts";

/**
 * Takes part in the room as `uid` once `isOpen`: presence, and typing in both directions. Does nothing
 * for visitors, and nothing that the page needs: where it fails, people just do not see each other.
 *
 * Returns the uids of the others who type, and how to tell them that this person does.
 */
export function useCompany(firebase: FirebaseConfig, uid: string | undefined, isOpen: boolean) {
  const [typists, setTypists] = useState<string[]>([]);
  const company = useRef<Promise<Company | null>>(Promise.resolve(null));

  useEffect(() => {
    if (!isOpen || uid === undefined) return;
    let isStopped = false;

    const joining = import("./room-presence.client.ts")
      .then((module) =>
        isStopped ? null : module.joinCompany(firebase, uid, fetchToken, setTypists),
      )
      .catch(() => null);
    company.current = joining;

    return () => {
      isStopped = true;
      company.current = Promise.resolve(null);
      setTypists([]);
      noteDeparture(joining.then((joined) => joined?.leave()));
    };
  }, [firebase, uid, isOpen]);

  const setTyping = useCallback((isTyping: boolean) => {
    void company.current.then((joined) => joined?.setTyping(isTyping));
  }, []);

  return { typists, setTyping };
}
