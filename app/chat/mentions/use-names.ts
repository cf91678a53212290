import { createContext, useMemo, useState } from "react";

import type { Message } from "#app/chat/message.ts";
import type { PeopleHere } from "#app/chat/presence.ts";
import type { Viewer } from "#app/chat/use-first-unread.ts";
import type { User } from "#app/session/user.ts";
import { createNames, type Names } from "./names.ts";

/** The names that messages can mention. */
export const NamesContext = createContext<Names>(
  createNames([], { uid: undefined, hiddenUids: new Set() }),
);

/**
 * Returns the names of those who wrote the messages, the newest first, and of those who are here. Returns the same object
 * until they change, because a new one renders all messages with mentions again.
 */
export function useNames(
  messages: readonly Message[],
  here: PeopleHere | null,
  user: User | null,
  viewer: Viewer,
): Names {
  const current = useMemo(
    () =>
      createNames(
        [
          ...messages.toReversed(),
          ...(user ? [user] : []),
          ...(here?.people.map(({ uid, name }) => ({ uid, displayName: name })) ?? []),
        ],
        viewer,
      ),
    [messages, here, user, viewer],
  );
  const [names, setNames] = useState(current);
  if (names.key === current.key) return names;
  setNames(current);
  return current;
}
