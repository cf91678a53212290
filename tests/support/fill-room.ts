import type { TestAccount, TestFirebase } from "./firebase.ts";

/**
 * Adds messages that are a minute apart, as if they had been sent, whatever the rules say.
 *
 * @param lines what they say, in turn; without any they say their numbers
 */
export async function fillRoom(
  { hosts, projectId }: Pick<TestFirebase, "hosts" | "projectId">,
  person: TestAccount,
  count: number,
  lines: readonly string[] = [],
): Promise<void> {
  const root = `projects/${projectId}/databases/(default)/documents`;
  const start = Date.now() - count * 60_000;
  const writes = Array.from({ length: count }, (_, index) => ({
    update: {
      name: `${root}/rooms/general/messages/filled-${String(index).padStart(4, "0")}`,
      fields: {
        text: { stringValue: lines[index % lines.length] ?? `Message ${index + 1}` },
        uid: { stringValue: person.localId },
        displayName: { stringValue: person.displayName },
        photoURL: { nullValue: null },
        createdAt: { timestampValue: new Date(start + index * 60_000).toISOString() },
      },
    },
  }));
  const response = await fetch(`http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${root}:commit`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ writes }),
  });
  if (!response.ok) throw new Error(`The room was not filled: ${response.status}`);
}
