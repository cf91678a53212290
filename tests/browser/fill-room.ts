import type { TestAccount } from "#tests/support/firebase.ts";
import { expect, type TestApp } from "./fixtures.ts";

/** Adds messages that are a minute apart, as if they had been sent. */
export async function fillRoom({ firebase }: TestApp, person: TestAccount, count: number) {
  const root = `projects/${firebase.projectId}/databases/(default)/documents`;
  const start = Date.now() - count * 60_000;
  const writes = Array.from({ length: count }, (_, index) => ({
    update: {
      name: `${root}/rooms/general/messages/filled-${String(index).padStart(4, "0")}`,
      fields: {
        text: { stringValue: `Message ${index + 1}` },
        uid: { stringValue: person.localId },
        displayName: { stringValue: person.displayName },
        photoURL: { nullValue: null },
        createdAt: { timestampValue: new Date(start + index * 60_000).toISOString() },
      },
    },
  }));
  const host = firebase.hosts.FIRESTORE_EMULATOR_HOST;
  const response = await fetch(`http://${host}/v1/${root}:commit`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ writes }),
  });
  expect(response.status).toBe(200);
}
