import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { MAX_PARTS, MAX_POLLS, findLivePage, loadLive } from "#app/chat/live/live.server.tsx";
import { toMessageForm } from "#app/chat/post-message.ts";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { toLivePath } from "#app/chat/room-address.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as sendMessage } from "#app/routes/home.tsx";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { changeDocument, deleteDocument } from "#tests/support/documents.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";

/** The longest time between two reads. */
const INTERVAL_MS = 12_000;

// Only the waits between two reads are simulated: the database responds in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Opens a live page as the frame does. */
async function openLive(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost${path}`, { headers });
  const context = app.contextFor(request);
  await loadLive({ request, context, params: {} });
  const page = findLivePage(context)?.(["/assets/root.css"]);
  if (page === undefined) throw new Error("There is no page");
  if (typeof page === "string") return { start: page, read: () => Promise.resolve("") };

  const reader = page.getReader();
  const decoder = new TextDecoder();
  const read = async () => {
    const { done, value } = await reader.read();
    return done ? null : decoder.decode(value);
  };
  return {
    start: `${await read()}${await read()}`,
    /** Returns the next part of the page after the time between two reads; `null` at its end. */
    async read() {
      const part = read();
      await vi.advanceTimersByTimeAsync(INTERVAL_MS);
      return part;
    },
    /** The same without letting time pass. */
    readNow: read,
    close: () => reader.cancel(),
  };
}

async function join(app: TestApp, displayName: string) {
  const person = await app.firebase.addAccount({ displayName });
  const cookie = await signIn(app, person);
  const send = (text: string, replyTo?: string, id = createDocumentId()) => {
    const form = toMessageForm({ id, text, replyTo });
    return app.send(sendMessage, "/home", { form, cookie });
  };
  return { person, uid: person.localId, cookie, send };
}

test("shows messages that are posted after the page was opened, once each and in order", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana Reyes");
  await ana.send("Before");
  const live = await openLive(app, toLivePath({ part: 1 }));
  expect(live.start).toContain("Before");

  await ana.send("One, @Ana Reyes");
  await ana.send(`${formatQuote({ words: "The tide", path: "/read/salt#p-1" })}Two`);
  const part = await live.read();

  expect(part?.match(/One|Two/g)).toEqual(["One", "Two"]);
  expect(part).toContain(">Ana Reyes<");
  expect(part).toMatch(/<bdi[^>]*>@Ana Reyes<\/bdi>/);
  // The frame does not know how far the user has read, so quotes are folded.
  expect(part).toMatch(
    /<details .*“The tide”.*Two.*href="\/read\/salt\?passage=p-1#p-1".*<\/details>/,
  );
  expect(await live.read()).toBe("\n");
});

test("begins after the last message of the page around it", async () => {
  await using app = await startApp();
  const ana = await join(app, "Ana");
  const noon = Date.UTC(2026, 2, 10, 12);
  await fillRoom(app.firebase, ana.person, 3, [], (index) => noon + (index > 0 ? 60_000 : 0));

  const after = { id: "filled-0001", createdAt: noon + 60_000 };
  const { start } = await openLive(app, toLivePath({ after, part: 1 }));

  expect(start.match(/Message \d/g)).toEqual(["Message 3"]);
});

test.each([
  [49, false],
  [60, true],
])(
  "of %i messages since the page around it, says whether some are missing: %j",
  async (count, isSaid) => {
    await using app = await startApp();
    const ana = await join(app, "Ana");
    const noon = Date.UTC(2026, 2, 10, 12);
    await fillRoom(app.firebase, ana.person, count + 1, [], (index) => noon + index * 60_000);

    const after = { id: "filled-0000", createdAt: noon };
    const path = toLivePath({ after, part: 2, around: "/read/salt?talk=everyone" });
    const { start } = await openLive(app, path);

    expect(start.match(/Message \d+/g)).toHaveLength(Math.min(count, 50));
    expect(start.includes("Earlier messages are missing here.")).toBe(isSaid);
    expect(start.includes('href="/read/salt?talk=everyone#room"')).toBe(isSaid);
  },
);

test.each(["foo:https://evil.example/login", "javascript:javascript:alert(1)", "//"])(
  "leads to no other site from a list with missing messages: around %s",
  async (around) => {
    await using app = await startApp();
    const ana = await join(app, "Ana");
    const noon = Date.UTC(2026, 2, 10, 12);
    await fillRoom(app.firebase, ana.person, 51, [], (index) => noon + index * 60_000);

    const after = { id: "filled-0000", createdAt: noon };
    const { start } = await openLive(app, toLivePath({ after, part: 1, around }));

    expect(start).toContain('<a href="/home#room">Load the page again</a>');
    expect(start).not.toMatch(/evil\.example|javascript:/);
  },
);

test("the first page loads a page with an empty list, which leads to the stream", async () => {
  await using app = await startApp();
  const after = { id: "a".repeat(20), createdAt: 5 };
  const toEscapedPath = (part: number) =>
    toLivePath({ after, part, around: "/home" }).replaceAll("&", "&amp;");

  const holder = await openLive(app, toLivePath({ after }), { Cookie: "theme=dark" });
  expect(holder.start).toContain(`data="${toEscapedPath(0)}"`);
  expect(holder.start).toContain('<html lang="en" class="dark-theme">');
  expect(holder.start).toContain('<link rel="stylesheet" href="/assets/root.css"/>');
  expect(holder.start).not.toContain("<script");

  const waiting = await openLive(app, toLivePath({ after, part: 0 }));
  expect(waiting.start).toContain(toEscapedPath(1));
  expect(waiting.start).toContain("New messages appear here as they arrive.");
});

test.each([
  [1, `content="1;url=${toLivePath({ part: 2, around: "/home" }).replace("&", "&amp;")}"`],
  [MAX_PARTS, undefined],
])("ends after its reads and leads to the next page, part %i", async (part, refresh) => {
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.firebase.hosts.FIRESTORE_EMULATOR_HOST);
  const proxied = app.withVariables({ FIRESTORE_EMULATOR_HOST: proxy.host });
  const live = await openLive(proxied, toLivePath({ part }));

  let html = live.start;
  for (;;) {
    const next = await live.read();
    if (next === null) break;
    html += next;
  }

  expect(proxy.log).toHaveLength(MAX_POLLS);
  expect(html.match(/http-equiv="refresh" content="[^"]+"/gi)?.join()).toEqual(
    refresh && expect.stringContaining(refresh),
  );
  expect(html).toMatch(/target="_self">Keep showing new messages<\/a><\/li><\/ol>.*<\/html>$/);
});

test("says that the room is unavailable, and continues with what was posted meanwhile", async () => {
  await using app = await startApp();
  let fault: Fault = "none";
  const { FIRESTORE_EMULATOR_HOST } = app.firebase.hosts;
  await using proxy = await startFaultProxy(FIRESTORE_EMULATOR_HOST, () => fault);
  const proxied = app.withVariables({ FIRESTORE_EMULATOR_HOST: proxy.host });
  const ana = await join(app, "Ana");
  const live = await openLive(proxied, toLivePath({ part: 1 }));

  fault = "error";
  expect(await live.read()).toContain("We can&#x27;t reach the room right now.");
  await ana.send("Meanwhile");
  fault = "cut";
  expect(await live.read()).toBe("\n");
  fault = "none";
  expect(await live.read()).toContain("Meanwhile");
});

test("stops reading when the browser closes the page", async () => {
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.firebase.hosts.FIRESTORE_EMULATOR_HOST);
  const proxied = app.withVariables({ FIRESTORE_EMULATOR_HOST: proxy.host });
  const live = await openLive(proxied, toLivePath({ part: 1 }));
  const part = live.read();
  await part;

  const pending = live.readNow?.();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await live.close?.();
  await pending;

  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
  expect(proxy.log.length).toBeLessThan(4);
});

test("does not show messages of people that the user has hidden", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app, "Ana"), await join(app, "Tomas")];
  const form = { intent: "hide", person: tomas.uid, name: "Tomas" };
  await app.send(changeHidden, "/rooms/general/hidden", { form, cookie: ana.cookie });
  await tomas.send("From Tomas, before");
  const live = await openLive(app, toLivePath({ part: 1 }), { Cookie: ana.cookie });

  await tomas.send("From Tomas, after");
  await ana.send("From Ana");
  const html = `${live.start}${await live.read()}`;

  expect(html).toContain("From Ana");
  expect(html).toContain('data-own="true"');
  expect(html).not.toContain("From Tomas");
});

test("writes times in the visitor's language and zone", async () => {
  await using app = await startApp({ TIME_ZONE: "Asia/Tokyo" });
  const ana = await join(app, "Ana");
  await ana.send("Hello");
  const id = createDocumentId();
  await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, {
    text: { stringValue: "Noon in London" },
    uid: { stringValue: ana.uid },
    displayName: { stringValue: "Ana" },
    photoURL: { nullValue: null },
    createdAt: { timestampValue: "2026-01-10T12:00:00Z" },
  });

  const { start } = await openLive(app, toLivePath({ part: 1 }), { "Accept-Language": "de" });

  expect(start).toContain(">21:00</time>");
});

test("a reply is a card, without the words of hidden people", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app, "Ana Reyes"), await join(app, "Tomas Lund")];
  const [first, second] = [createDocumentId(), createDocumentId()];
  await ana.send("To the ferry", undefined, first);
  await tomas.send("> Ana Reyes: To the moon\nWhen?", first, second);

  const page = await openLive(app, toLivePath({ part: 1 }));

  expect(page.start).toContain('aria-label="Reply to Ana Reyes: To the ferry. Go to that message"');
  expect(page.start).toMatch(new RegExp(`<a aria-label="Reply [^>]*/${first}/actions"`));
  expect(page.start).not.toContain("To the moon");
  await page.close?.();

  const form = { intent: "hide", person: ana.uid, name: "Ana Reyes" };
  await app.send(changeHidden, "/rooms/general/hidden", { form, cookie: tomas.cookie });
  const other = await openLive(app, toLivePath({ part: 1 }), { Cookie: tomas.cookie });
  expect(other.start).toContain("A message from a person you hid.");
  expect(other.start).not.toContain("To the");
  await other.close?.();
});

test("a user who hides somebody sees no words of originals outside of the frame", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app, "Ana Reyes"), await join(app, "Tomas Lund")];
  const mira = await join(app, "Mira Okafor");
  const first = createDocumentId();
  await ana.send("To the ferry", undefined, first);
  const after = { id: first, createdAt: Date.now() };
  await mira.send("> Ana Reyes: To the ferry\nWhen?", first);
  const path = toLivePath({ after, part: 1 });
  const before = await openLive(app, path, { Cookie: tomas.cookie });
  expect(before.start).toContain("Reply to Ana Reyes: To the ferry. Go to that message");
  await before.close?.();

  const form = { intent: "hide", person: ana.uid, name: "Ana Reyes" };
  await app.send(changeHidden, "/rooms/general/hidden", { form, cookie: tomas.cookie });

  const live = await openLive(app, path, { Cookie: tomas.cookie });
  expect(live.start).toContain("An earlier message. Go to that message");
  expect(live.start).not.toContain("To the ferry");
  await live.close?.();
});

test("a reply does not show a later message with its original's id", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app, "Ana Reyes"), await join(app, "Tomas Lund")];
  const first = createDocumentId();
  await ana.send("To the ferry", undefined, first);
  await tomas.send("> Ana Reyes: To the ferry\nWhen?", first);
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${first}`);
  await ana.send("To the moon", undefined, first);

  const live = await openLive(app, toLivePath({ part: 1 }));

  expect(live.start).toContain("The original was deleted.");
  expect(live.start.match(/To the moon/g)).toHaveLength(1);
  await live.close?.();
});
