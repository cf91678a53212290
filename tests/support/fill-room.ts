import type { FirebaseHosts } from "#emulator/hosts.ts";
import { changeDocument, setDocuments } from "./documents.ts";
import type { TestAccount, TestFirebase } from "./firebase.ts";

/**
 * Adds messages to the room, bypassing the rules.
 *
 * @param lines texts, used in turn; by default the texts are numbered
 * @param toTime returns the time of a message in milliseconds, with microseconds as a fraction; by default the messages are
 *   one minute apart
 */
export async function fillRoom(
  { hosts }: Pick<TestFirebase, "hosts">,
  person: TestAccount,
  count: number,
  lines: readonly string[] = [],
  toTime = (index: number) => Date.now() - (count - index) * 60_000 + 0.389,
): Promise<void> {
  const messages = Array.from({ length: count }, (_, index) => ({
    path: `rooms/general/messages/filled-${String(index).padStart(4, "0")}`,
    fields: {
      text: { stringValue: lines[index % lines.length] ?? `Message ${index + 1}` },
      uid: { stringValue: person.localId },
      displayName: { stringValue: person.displayName },
      photoURL: { nullValue: null },
      createdAt: { timestampValue: toTimestamp(toTime(index)) },
    },
  }));
  await setDocuments(hosts, messages);
}

/** Adds messages of people who need no accounts, each one second after the previous one, bypassing the rules. */
export async function addMessages(
  hosts: FirebaseHosts,
  messages: { text: string; uid: string; displayName: string }[],
): Promise<void> {
  const start = Date.now() - 60_000;
  for (const [index, { text, uid, displayName }] of messages.entries()) {
    await changeDocument(hosts, `rooms/general/messages/added-${index}`, {
      text: { stringValue: text },
      uid: { stringValue: uid },
      displayName: { stringValue: displayName },
      photoURL: { nullValue: null },
      createdAt: { timestampValue: new Date(start + index * 1000).toISOString() },
    });
  }
}

/** Formats a time with microseconds, as Firestore does. */
function toTimestamp(time: number): string {
  const microseconds = String(Math.round((time % 1) * 1000)).padStart(3, "0");
  return new Date(time).toISOString().replace("Z", `${microseconds}Z`);
}
