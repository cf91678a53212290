import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { PAGE_SIZE } from "#app/chat/message.ts";
import { MAX_SCANNED } from "#app/stories/search.server.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount } from "#tests/support/firebase.ts";
import { USER_COLLECTIONS } from "#tests/support/user-data.ts";
import { call, list, type List } from "./requests.ts";

/** A batch of the deletion of an account. */
const MAX_OWN = 500;

/** The documents that a list of everybody's returns at most, by its path. */
const PUBLIC: Record<string, number> = {
  "rooms/general/messages": PAGE_SIZE,
  // Of the messages of two pages.
  "rooms/general/edits": 2 * PAGE_SIZE,
  // One more than a search looks at, to know whether there are others.
  stories: MAX_SCANNED + 1,
};

test.each(Object.entries(PUBLIC))("everyone lists %s, at most %i at a time", async (path, max) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  for (const user of [ana, null]) {
    expect(await list(firebase, user, { path, limit: max })).toBe(200);
    expect(await list(firebase, user, { path, limit: max + 1 })).toBe(403);
    expect(await list(firebase, user, { path })).toBe(403);
    expect(await list(firebase, user, { path }, { isCount: true })).toBe(403);
    expect(await call(firebase, user, "GET", `${path}?pageSize=300`)).toBe(403);
  }
});

test.each([...Object.keys(PUBLIC), "storyOwners", "storyCounts"])(
  "users list their own documents in %s, at most 500 at a time",
  async (path) => {
    await using firebase = await startFirebase();
    const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
    const uid = ana.localId;
    await changeDocument(firebase.hosts, `${path}/first`, { uid: { stringValue: uid } });

    expect(await list(firebase, ana, { path, uid, limit: MAX_OWN })).toBe(200);
    expect(await list(firebase, ana, { path, uid, limit: MAX_OWN + 1 })).toBe(403);
    expect(await list(firebase, ana, { path, uid })).toBe(403);
    expect(await list(firebase, ana, { path, limit: MAX_OWN })).toBe(403);
    for (const other of [tomas, null]) {
      expect(await list(firebase, other, { path, uid, limit: MAX_OWN })).toBe(403);
    }
  },
);

test("every collection below a user's path is on the list of what is stored for them", async () => {
  const rules = await readFile(new URL("../../firestore.rules", import.meta.url), "utf8");
  const collections = rules.matchAll(/match \/users\/\{\w+\}\/(\w+)/g);

  const names = Array.from(collections, ([, name]) => name);
  expect(new Set(names)).toEqual(new Set(USER_COLLECTIONS));
});

test.each([...USER_COLLECTIONS.filter((name) => name !== "limits"), "drafts/x/versions"])(
  "only the user lists their %s, at most 500 at a time",
  async (name) => {
    await using firebase = await startFirebase();
    const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
    const path = `users/${ana.localId}/${name}`;

    expect(await list(firebase, ana, { path, limit: MAX_OWN })).toBe(200);
    expect(await list(firebase, ana, { path, limit: MAX_OWN + 1 })).toBe(403);
    expect(await list(firebase, ana, { path })).toBe(403);
    for (const other of [tomas, null]) {
      expect(await list(firebase, other, { path, limit: 1 })).toBe(403);
    }
  },
);

test("no list has an offset, because the documents that it skips are read too", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const olga = await firebase.addAccount({ isOperator: true });
  const uid = ana.localId;
  const lists: [user: TestAccount | null, query: List][] = [
    ...[...Object.keys(PUBLIC), "rooms/general/topics"].map((path): [null, List] => [
      null,
      { path },
    ]),
    [ana, { path: "storyOwners", uid }],
    [ana, { path: `users/${uid}/drafts` }],
    ...["reports", "mutes", "moderation"].map((path): [TestAccount, List] => [olga, { path }]),
  ];

  for (const [user, query] of lists) {
    const { path } = query;
    expect(await list(firebase, user, { ...query, limit: 1 }), path).toBe(200);
    expect(await list(firebase, user, { ...query, limit: 1, offset: 0 }), path).toBe(200);
    expect(await list(firebase, user, { ...query, limit: 1, offset: 1 }), path).toBe(403);
  }
});

test.each([
  "stories/salt-0123456789/parts",
  "writers",
  "users/ana/limits",
  "users/ana/drafts/x/parts",
])("nobody lists %s, whose documents are read by their ids", async (path) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const own = path.replace("/ana/", `/${ana.localId}/`);

  for (const user of [ana, null]) {
    expect(await list(firebase, user, { path: own, limit: 1 })).toBe(403);
  }
});
