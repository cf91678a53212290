import { useEffect, useMemo, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Message } from "./message.ts";
import { subscribeWithRetry } from "./use-feed.ts";

/** The sender of each edited message, by its id. */
export type Edits = ReadonlyMap<string, string>;

const NO_EDITS: Edits = new Map();

/**
 * Subscribes to the records of edits since the oldest live message. Starts with the edits that the loader has found, so
 * that "edited" does not disappear while the live records are loading.
 */
export function useEdits(
  firebase: FirebaseConfig,
  messages: Message[],
  isLive: boolean,
  isOpen: boolean,
): Edits {
  const [loaded] = useState<Edits>(() => toEdits(messages));
  const [live, setLive] = useState<Edits>(NO_EDITS);
  const since = isLive ? (messages[0]?.createdAt ?? 0) : null;
  const [firstSince, setFirstSince] = useState(since);
  if (firstSince === null && since !== null) setFirstSince(since);

  useEffect(() => {
    if (firstSince === null || !isOpen) return undefined;
    return subscribeWithRetry<Edits>(
      async (listener) => {
        const { subscribeToEdits } = await import("./messages.client.ts");
        return await subscribeToEdits(firebase, firstSince, listener);
      },
      // The feed reports a lost connection. Without "edited" the messages are still correct.
      { onValue: setLive, onError: () => {} },
    );
  }, [firebase, firstSince, isOpen]);

  return useMemo(() => (loaded.size === 0 ? live : new Map([...loaded, ...live])), [loaded, live]);
}

function toEdits(messages: Message[]): Edits {
  return new Map(messages.filter(({ isEdited }) => isEdited).map(({ id, uid }) => [id, uid]));
}
