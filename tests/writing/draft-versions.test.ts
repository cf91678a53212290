import { expect, test } from "vitest";

import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { isGoogleFirestore } from "#tests/support/firebase.ts";
import { content, createTarget, startDrafts } from "./draft-services.ts";

const HOUR_MS = 60 * 60_000;

test("makes a version at each publication, and of the last save after each hour of work", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  const save = (revision: number, text: string, reason?: "published") =>
    app.drafts.save(app.ana, { ...target, revision }, { ...content, text }, reason);
  await save(0, "one");
  await save(1, "two");
  await save(2, "three", "published");
  app.wait(HOUR_MS);
  // The published text is a version already.
  const four = await save(3, "four");
  await save(4, "five");

  const versions = await app.versions.list(app.ana, target.id);
  expect(versions?.map(({ id, reason }) => [id, reason])).toEqual([
    ["4", "hour"],
    ["3", "published"],
  ]);
  const savedAt = four.status === "saved" ? four.draft.updatedAt : null;
  expect(await app.versions.open(app.ana, target.id, "4")).toMatchObject({
    title: "Salt and Sand",
    text: "four",
    tags: ["sea", "slow"],
    createdAt: savedAt,
  });
});

test("makes a version of yesterday's text when it is deleted today", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  const save = (revision: number, text: string) =>
    app.drafts.save(app.ana, { ...target, revision }, { ...content, text });
  await save(0, "Begun");
  await save(1, "Fifty minutes of work");
  app.wait(24 * HOUR_MS);

  await save(2, "");

  const [version] = (await app.versions.list(app.ana, target.id)) ?? [];
  const kept = await app.versions.open(app.ana, target.id, version?.id ?? "");
  expect(kept?.text).toBe("Fifty minutes of work");
});

// Firestore takes a commit of 10 MB, Google's emulator only one of 4.
test.skipIf(isGoogleFirestore)(
  "publishes the longest story over another one of the same length, which becomes a version",
  async () => {
    await using app = await startDrafts();
    const target = createTarget();
    const [before, after] = ["é", "漢"].map((letter) => letter.repeat(MAX_STORY_LENGTH));
    await app.drafts.save(app.ana, target, { ...content, text: before ?? "" });
    app.wait(HOUR_MS);

    const again = { ...target, revision: 1 };
    const long = { ...content, text: after ?? "" };
    expect(await app.drafts.save(app.ana, again, long, "published")).toMatchObject({
      status: "saved",
      draft: { publishedRevision: 2 },
    });

    for (const [id, text] of [
      ["1", before],
      ["2", after],
    ] as const) {
      expect((await app.versions.open(app.ana, target.id, id))?.text === text, id).toBe(true);
    }
  },
);
