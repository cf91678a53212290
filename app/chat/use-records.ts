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
 * Subscribes to the records of edits since the oldest live message. Has the edits that a loader has found, too, and those
 * that are no longer among the newest records, so that "edited" does not disappear.
 */
export function useEdits(options: RecordsOptions): Edits {
  const { messages } = options;
  const [known, setKnown] = useState<Edits>(new Map());
  const live = useRecords("edits", options);
  const added = messages.filter(
    ({ id, uid, isEdited }) => known.get(id) !== uid && (isEdited || live.get(id)?.uid === uid),
  );
  if (added.length > 0) {
    setKnown(new Map([...known, ...added.map(({ id, uid }) => [id, uid] as const)]));
  }
  return known;
}

/** Returns the messages with what they are about: as the loader has found it, or as Firestore reports it later. */
export function useTopics(options: RecordsOptions): Message[] {
  const { messages } = options;
  const [known, setKnown] = useState<Topics>(new Map());
  const live = useRecords("topics", options);
  // The live records are the newest ones, so a record does not stay among them.
  const added = messages.flatMap(({ id, topic }) => {
    const record = live.get(id);
    const found = topic ?? (record && readTopic(record));
    return found && !known.has(id) ? [[id, found] as const] : [];
  });
  if (added.length > 0) setKnown(new Map([...known, ...added]));
  return useMemo(
    () =>
      messages.map((message) => {
        const topic = known.get(message.id);
        return message.topic || !topic ? message : { ...message, topic };
      }),
    [messages, known],
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
