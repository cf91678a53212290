import { expect } from "vitest";

import { toReportsKey } from "#app/chat/moderation/reports.ts";
import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { action as sendForScripts } from "#app/routes/room-messages.ts";
import { readDocument } from "#tests/support/documents.ts";
import type { NewAccount } from "#tests/support/firebase.ts";
import { openBrowser } from "#tests/support/profile-browser.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";

export const TAB = "/profile?tab=reports";
export const STORY = "the-salt-road-0123456789";
export const MISSING = { error: { code: 404 } };

/** Signs a user in, and returns what they do. */
export async function join(app: TestApp, displayName: string, account: NewAccount = {}) {
  const person = await app.firebase.addAccount({ displayName, ...account });
  const cookie = await signIn(app, person);
  const browser = openBrowser(app, cookie);
  return {
    uid: person.localId,
    cookie,
    ...browser,
    moderate: (fields: Record<string, string>) => browser.submit("moderate", fields),
    async send(text: string, id = createDocumentId()): Promise<string> {
      const form = toMessageForm({ id, text });
      const response = await app.send(sendForScripts, "/rooms/general/messages", { form, cookie });
      expect(response.status).toBe(200);
      return account.isOperator ? `op-${id}` : id;
    },
    async trySend(text: string): Promise<number> {
      const form = toMessageForm({ id: createDocumentId(), text });
      return (await app.send(sendForScripts, "/rooms/general/messages", { form, cookie })).status;
    },
    async report(messageId: string, kind = "spam", details = "") {
      const form = { intent: "report", kind, details };
      const path = `/rooms/general/messages/${messageId}`;
      const response = await app.send(changeMessage, path, {
        form,
        cookie,
        params: { id: messageId },
      });
      expect(response.status).toBe(200);
    },
  };
}

/** Returns the key of the reports of a person's message. */
export function toKey(messageId: string, { uid: sender }: { uid: string }): string {
  return toReportsKey({ messageId, sender });
}

/** Ana and Tomas talk, and Olga is an operator. */
export async function startTalk() {
  const app = await startApp({ TIME_ZONE: "UTC" });
  const [ana, tomas, olga] = [
    await join(app, "Ana"),
    await join(app, "Tomas"),
    await join(app, "Olga", { isOperator: true }),
  ];
  const exists = async (path: string) => {
    const fields = await readDocument(app.firebase.hosts, path);
    return !JSON.stringify(fields).includes('"code":404');
  };
  return {
    app,
    ana,
    tomas,
    olga,
    exists,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

export type Talk = Awaited<ReturnType<typeof startTalk>>;
