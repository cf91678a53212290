import { useEffect, useMemo, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Message } from "./message.ts";
import { readTopic, type Topics } from "./quotes/topic.ts";
import { subscribeWithRetry } from "./use-feed.ts";

/** The fields of each record, by its message's id. */
type Records = ReadonlyMap<string, Record<string, unknown>>;

/** The sender of each edited message, by its id. */
export type Edits = ReadonlyMap<string, string>;

const NO_RECORDS: Records = new Map();

export interface RecordsOptions {
  firebase: FirebaseConfig;
  messages: Message[];
  isLive: boolean;
  isOpen: boolean;
}

/**
 * Subscribes to the records of edits since the oldest live message. Has the edits that a loader has found, too, so that
 * "edited" does not disappear while the live records are loading.
 */
export function useEdits(options: RecordsOptions): Edits {
  const { messages } = options;
  const [known, setKnown] = useState<Edits>(new Map());
  const live = useRecords("edits", options);
  const added = messages.filter(({ id, isEdited }) => isEdited && !known.has(id));
  if (added.length > 0) {
    setKnown(new Map([...known, ...added.map(({ id, uid }) => [id, uid] as const)]));
  }
  return useMemo(() => {
    const edits = new Map(known);
    for (const [id, { uid }] of live) edits.set(id, String(uid));
    return edits;
  }, [known, live]);
}

/** Returns the messages with what they are about: as the loader has found it, or as Firestore reports it later. */
export function useTopics(options: RecordsOptions): Message[] {
  const { messages } = options;
  const [known, setKnown] = useState<Topics>(new Map());
  const live = useRecords("topics", options);
  const added = messages.filter(({ id, topic }) => topic && !known.has(id));
  if (added.length > 0) {
    setKnown(
      new Map([
        ...known,
        ...added.flatMap(({ id, topic }) => (topic ? [[id, topic] as const] : [])),
      ]),
    );
  }
  return useMemo(
    () =>
      messages.map((message) => {
        if (message.topic) return message;
        const record = live.get(message.id);
        const topic = known.get(message.id) ?? (record && readTopic(record));
        return topic ? { ...message, topic } : message;
      }),
    [messages, known, live],
  );
}

function useRecords(
  kind: "edits" | "topics",
  { firebase, messages, isLive, isOpen }: RecordsOptions,
): Records {
  const [live, setLive] = useState(NO_RECORDS);
  const since = isLive ? (messages[0]?.createdAt ?? 0) : null;
  const [firstSince, setFirstSince] = useState(since);
  if (firstSince === null && since !== null) setFirstSince(since);

  useEffect(() => {
    if (firstSince === null || !isOpen) return undefined;
    return subscribeWithRetry<Records>(
      async (listener) => {
        const { subscribeToRecords } = await import("./messages.client.ts");
        return subscribeToRecords(firebase, kind, firstSince, listener);
      },
      // The feed reports a lost connection.
      { onValue: setLive, onError: () => {} },
    );
  }, [firebase, kind, firstSince, isOpen]);

  return live;
}
