import { expect, test } from "vitest";

import { UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import { action as moderateForScripts } from "#app/routes/profile.reports.ts";
import { action as submitReportPage } from "#app/routes/read.$id.report.tsx";
import { readDatabase } from "#tests/support/database-values.ts";
import { changeDocument, deleteDocument, readDocument } from "#tests/support/documents.ts";
import { expectValue, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { openBrowser } from "#tests/support/profile-browser.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { readJson } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { join, startTalk, TAB, STORY, MISSING, toKey } from "./reported-room.ts";

test("only operators have the tab, with the number of reported messages", async () => {
  await using talk = await startTalk();
  const { ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  await olga.report(id, "abuse");

  expect((await olga.open()).data).toMatchObject({ tab: "name", isOperator: true, openReports: 1 });
  expect((await olga.open(TAB)).data).toMatchObject({ tab: "reports", openReports: 1 });
  const { data } = await tomas.open(TAB);
  expect(data).toMatchObject({ tab: "name", isOperator: false, openReports: null });
  expect(data).not.toHaveProperty("reports");
  for (const action of ["delete", "dismiss", "mute", "lift", "unpublish"]) {
    const form = {
      action,
      message: toKey(id, ana),
      duration: "day",
      reason: "Spam",
      person: ana.uid,
    };
    expect(await tomas.moderate({ ...form, story: STORY })).toMatchObject({ status: 403 });
  }
});

test("shows reports of a message as one, with its neighbours, who reported it and why", async () => {
  await using talk = await startTalk();
  const { ana, tomas, olga } = talk;
  await tomas.send("Good evening");
  const id = await ana.send("Buy my lamp oil");
  await tomas.send("No, thank you");
  await tomas.report(id, "spam", "It never burns.");
  await olga.report(id, "abuse");

  expect((await olga.open(TAB)).data).toMatchObject({
    reports: {
      total: 1,
      messages: [
        {
          message: { id, uid: ana.uid, displayName: "Ana", text: "Buy my lamp oil" },
          path: expect.stringMatching(new RegExp(`^/home\\?before=.*#m-${id}$`)),
          isOwn: false,
          before: { text: "Good evening" },
          after: { text: "No, thank you" },
          story: null,
          reports: [
            { reporterName: "Olga", kind: "Harassment or hate", details: "" },
            { reporterName: "Tomas", kind: "Spam or advertising", details: "It never burns." },
          ],
        },
      ],
      muted: { people: [] },
      log: { entries: [], before: null },
    },
  });
});

test("deletes a reported message, closes its reports and says so in the log", async () => {
  await using talk = await startTalk();
  const { ana, tomas, olga, exists } = talk;
  const id = await ana.send("/read/the-lamplighters-orchard\nBuy my lamp oil");
  await tomas.report(id);
  expect(await exists(`rooms/general/topics/${id}`)).toBe(true);

  const response = await olga.moderate({ action: "delete", message: toKey(id, ana) });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(`${TAB}#moderate-flash`);
  expect(await exists(`rooms/general/messages/${id}`)).toBe(false);
  expect(await exists(`rooms/general/topics/${id}`)).toBe(false);
  expect((await olga.open(TAB)).data).toMatchObject({
    flash: "report-message-deleted",
    reports: {
      total: 0,
      messages: [],
      log: {
        entries: [{ action: "delete", byName: "Olga", name: "Ana", reason: "Spam or advertising" }],
      },
    },
  });
});

test("keeps a copy of a message that its sender has deleted, until the report is dismissed", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${id}`);

  expect((await olga.open(TAB)).data).toMatchObject({
    reports: {
      messages: [{ message: { text: "Buy my lamp oil" }, path: null, before: null }],
    },
  });
  expect(await olga.moderate({ action: "dismiss", message: toKey(id, ana) })).toMatchObject({
    status: 303,
  });
  expect((await olga.open(TAB)).data).toMatchObject({ reports: { total: 0 } });
  expect(await olga.moderate({ action: "dismiss", message: toKey(id, ana) })).toMatchObject({
    status: 404,
    data: { form: "moderate", banner: { message: "Another operator has already handled this." } },
  });
});

test("mutes the sender of a message, with their typing, until it is lifted", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  const mute = {
    action: "mute",
    message: toKey(id, ana),
    duration: "lifted",
    reason: "Advertising",
  };

  expect(await olga.moderate(mute)).toMatchObject({ status: 303 });

  expect(await ana.trySend("Again")).toBe(403);
  expect(await readDatabase(app, `muted/${ana.uid}`)).toEqual({
    until: Date.UTC(9999, 0),
    reason: "Advertising",
  });
  expect(await exists(`rooms/general/messages/${id}`), "only muted").toBe(true);
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: {
      total: 0,
      muted: {
        people: [{ uid: ana.uid, name: "Ana", until: Date.UTC(9999, 0), reason: "Advertising" }],
      },
      log: { entries: [{ action: "mute", person: ana.uid, name: "Ana", reason: "Advertising" }] },
    },
  });

  expect(await olga.moderate({ action: "lift", person: ana.uid })).toMatchObject({ status: 303 });
  expect(await ana.trySend("Again")).toBe(200);
  expect(await readDatabase(app, `muted/${ana.uid}`)).toBeNull();
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { muted: { people: [] }, log: { entries: [{ action: "lift" }, { action: "mute" }] } },
  });
});

test.each([
  ["hour", 60 * 60_000],
  ["day", 24 * 60 * 60_000],
])("mutes for one %s, and deletes the message too if asked", async (duration, ms) => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  const start = Date.now();

  const form = {
    action: "mute",
    message: toKey(id, ana),
    duration,
    reason: "Spam",
    alsoDelete: "yes",
  };
  expect(await olga.moderate(form)).toMatchObject({ status: 303 });

  const muted = await readDatabase(app, `muted/${ana.uid}/until`);
  expect(muted).toBeGreaterThanOrEqual(start + ms);
  expect(muted).toBeLessThan(Date.now() + ms + 1000);
  expect(await exists(`rooms/general/messages/${id}`)).toBe(false);
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { total: 0, log: { entries: [{ action: "delete" }, { action: "mute" }] } },
  });
});

test("only a longer mute replaces another, which otherwise stays with its appeal", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga } = talk;
  const first = await ana.send("Buy my lamp oil");
  const second = await ana.send("Buy my wicks");
  const third = await ana.send("Buy my matches");
  for (const id of [first, second, third]) await tomas.report(id);
  const mute = (id: string, duration: string) =>
    olga.moderate({ action: "mute", message: toKey(id, ana), duration, reason: "Spam" });
  const read = () => readDocument(app.firebase.hosts, `mutes/${ana.uid}`);

  expect(await mute(first, "day")).toMatchObject({ status: 303 });
  expect(await mute(second, "lifted")).toMatchObject({ status: 303 });
  await changeDocument(app.firebase.hosts, `mutes/${ana.uid}`, {
    appeal: { stringValue: "It wasn't me." },
  });
  const before = await read();
  for (const duration of ["hour", "lifted"]) {
    expect(await mute(third, duration), duration).toMatchObject({
      status: 409,
      data: { banner: { message: "They're already muted for as long." }, values: { duration } },
    });
  }
  expect(await read()).toEqual(before);
  expect(await readDatabase(app, `muted/${ana.uid}/until`)).toBe(UNTIL_LIFTED);
  expect((await olga.open(TAB)).data).toMatchObject({ reports: { total: 1 } });
});

test("unpublishes a story that a reported message is about", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text: "It began." });
  const id = await ana.send(`/read/${STORY}\nThis is stolen`);
  await tomas.report(id, "other", "It is stolen.");
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { messages: [{ story: { id: STORY, title: "The Salt Road" } }] },
  });

  const form = { action: "unpublish", story: STORY };
  expect(await olga.moderate({ ...form, reason: "" })).toMatchObject({
    status: 400,
    data: { form: "moderate", fieldErrors: { reason: ["Say why"] } },
  });
  expect(await olga.moderate({ ...form, reason: "Stolen" })).toMatchObject({ status: 303 });

  expect(await exists(`stories/${STORY}`)).toBe(false);
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: {
      messages: [{ story: null }],
      log: { entries: [{ action: "unpublish", reason: "Stolen" }] },
    },
  });
});

test("a reported story is in the queue, and closed when it is unpublished or dismissed", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const story = { id: STORY, title: "The Salt Road", text: "It began.", uid: ana.uid };
  await publishStory(app.firebase.hosts, story);
  const reportStory = (person: typeof tomas) =>
    app.send(submitReportPage, `/read/${STORY}/report`, {
      form: { uid: person.uid, kind: "illegal", details: "It is stolen." },
      cookie: person.cookie,
      params: { id: STORY },
    });

  expect((await reportStory(tomas)).headers.get("Location")).toBe(`/read/${STORY}/report?sent=1`);
  expect(await reportStory(ana), "her own").toMatchObject({ status: 403 });
  const { reports } = (await olga.open(TAB)).data as { reports: unknown }; // the loader's
  expect(reports).toMatchObject({
    total: 1,
    messages: [
      {
        isStory: true,
        message: { id: `story~${STORY}`, uid: ana.uid, text: "The Salt Road" },
        path: `/read/${STORY}`,
        before: null,
        after: null,
        story: { id: STORY, title: "The Salt Road" },
        reports: [{ kind: "Dangerous or illegal", details: "It is stolen.", text: null }],
      },
    ],
  });
  const dismiss = { action: "dismiss", message: toKey(`story~${STORY}`, ana) };
  expect(await olga.moderate(dismiss)).toMatchObject({ status: 303 });
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { total: 0, log: { entries: [{ action: "dismiss", isStory: true }] } },
  });

  await reportStory(tomas);
  await olga.moderate({ action: "unpublish", story: STORY, reason: "Stolen" });
  expect(await exists(`stories/${STORY}`)).toBe(false);
  expect((await olga.open(TAB)).data).toMatchObject({ reports: { total: 0 } });
  expect(await reportStory(tomas)).toMatchObject({
    status: 404,
    data: { error: { message: "This story isn't published any more." } },
  });
});

test("the details of a report can be as long as the field allows, with line breaks", async () => {
  await using talk = await startTalk();
  const { ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  const details = `It never burns.\n${"x".repeat(384)}`;

  // As browsers submit it.
  await tomas.report(id, "spam", details.replace("\n", "\r\n"));

  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { messages: [{ reports: [{ details }] }] },
  });
});

test("an operator can do nothing about a report of their own message", async () => {
  await using talk = await startTalk();
  const { tomas, olga } = talk;
  const id = await olga.send("Be kind, or else");
  await tomas.report(id, "abuse");

  expect((await olga.open(TAB)).data).toMatchObject({ reports: { messages: [{ isOwn: true }] } });
  for (const action of ["delete", "dismiss", "mute"]) {
    const form = { action, message: toKey(id, olga), duration: "hour", reason: "None" };
    expect(await olga.moderate(form), action).toMatchObject({ status: 403 });
  }
});

test.each([
  ["no reason", { reason: " " }, { reason: ["Say why"] }],
  [
    "a long reason",
    { reason: "x".repeat(501) },
    { reason: ["This can have up to 500 characters"] },
  ],
  ["no duration", { duration: "year" }, { duration: ["Choose how long"] }],
])("rejects a mute with %s, and keeps what was typed", async (_what, change, fieldErrors) => {
  await using talk = await startTalk();
  const { ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);

  const form = {
    action: "mute",
    message: toKey(id, ana),
    duration: "day",
    reason: "Spam",
    ...change,
  };
  expect(await olga.moderate(form)).toMatchObject({
    status: 400,
    data: { form: "moderate", fieldErrors, values: { reason: form.reason } },
  });
});

test("shows what a message said when it was reported, and acts on its sender", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, {
    text: { stringValue: "Good evening" },
  });
  const wren = await join(app, "Wren");
  await wren.report(id);

  expect((await olga.open(TAB)).data).toMatchObject({
    reports: {
      messages: [
        {
          message: { text: "Good evening" },
          reports: [{ text: null }, { reporterName: "Tomas", text: "Buy my lamp oil" }],
        },
      ],
    },
  });

  // Ana deletes it, and someone else uses its id.
  await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, {
    uid: { stringValue: tomas.uid },
  });
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { messages: [{ message: { displayName: "Ana" }, path: null }] },
  });
  await olga.moderate({ action: "mute", message: toKey(id, ana), duration: "day", reason: "Spam" });
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { muted: { people: [{ uid: ana.uid }] } },
  });
});

test("an id that another account uses again hides neither who was reported nor their words", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const [wren, barnaby] = [await join(app, "Wren"), await join(app, "Barnaby")];
  const id = await ana.send("Go away, all of you");
  await tomas.report(id, "abuse");
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${id}`);
  await barnaby.send("Good evening", id);
  await wren.report(id, "spam");
  const [abuse, greeting] = [toKey(id, ana), toKey(id, barnaby)];
  const readKeys = async () => {
    const { data } = await olga.open(TAB);
    const { reports } = data as { reports: { messages: { key: string }[] } }; // the loader's
    return reports.messages.map(({ key }) => key);
  };

  expect((await olga.open(TAB)).data).toMatchObject({
    openReports: 2,
    reports: {
      total: 2,
      messages: [
        { key: greeting, message: { displayName: "Barnaby", text: "Good evening" } },
        { key: abuse, message: { displayName: "Ana", text: "Go away, all of you" }, path: null },
      ],
    },
  });
  // Each action is about one of them.
  await olga.moderate({ action: "dismiss", message: greeting });
  expect(await readKeys()).toEqual([abuse]);
  await olga.moderate({
    ...{ action: "mute", message: abuse, alsoDelete: "yes" },
    ...{ duration: "day", reason: "Harassment" },
  });
  expect(await readKeys()).toEqual([]);
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: {
      muted: { people: [{ uid: ana.uid }] },
      log: { entries: [{ action: "delete", name: "Ana" }, { name: "Ana" }, { name: "Barnaby" }] },
    },
  });
  expect(await exists(`rooms/general/messages/${id}`), "Barnaby's").toBe(true);
});

test("a mute whose lifting fails halfway can be lifted again", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  await olga.moderate({
    action: "mute",
    message: toKey(id, ana),
    duration: "lifted",
    reason: "Spam",
  });
  const broken = openBrowser(
    app.withVariables({ FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1" }),
    olga.cookie,
  );

  const failed = await broken.submit("moderate", { action: "lift", person: ana.uid });
  expect(failed).toMatchObject({ status: 503, data: { banner: { message: "Not lifted." } } });
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { muted: { people: [{ uid: ana.uid }] } },
  });

  expect(await olga.moderate({ action: "lift", person: ana.uid })).toMatchObject({ status: 303 });
  expect(await ana.trySend("Again")).toBe(200);
  expect(await readDatabase(app, `muted/${ana.uid}`)).toBeNull();
});

test("deletes the message of a mute even if the Realtime Database doesn't respond", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  const broken = openBrowser(
    app.withVariables({ FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1" }),
    olga.cookie,
  );

  const failed = await broken.submit("moderate", {
    ...{ action: "mute", message: toKey(id, ana), alsoDelete: "yes" },
    ...{ duration: "day", reason: "Spam" },
  });

  expect(failed).toMatchObject({
    status: 503,
    data: { banner: { message: "They can't post, but others may see them type." } },
  });
  expect(await exists(`rooms/general/messages/${id}`)).toBe(false);
  expect((await olga.open(TAB)).data).toMatchObject({
    reports: { total: 0, muted: { people: [{ uid: ana.uid }] } },
  });
});

test("a mute counts everywhere even if its message can't be deleted", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  // The mute is the last action that an operator may do in a minute.
  await setRateRecord(
    app.firebase.hosts,
    olga.uid,
    "moderation",
    Array.from({ length: 29 }, () => 1000),
  );

  const failed = await olga.moderate({
    ...{ action: "mute", message: toKey(id, ana), alsoDelete: "yes" },
    ...{ duration: "day", reason: "Spam" },
  });

  expect(failed).toMatchObject({ status: 429 });
  expect(await exists(`rooms/general/messages/${id}`)).toBe(true);
  expect(await readDatabase(app, `muted/${ana.uid}`)).toMatchObject({ reason: "Spam" });
});

test("responds to scripts with JSON, to operators only", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, olga, exists } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  const send = (user: typeof olga, form: Record<string, string>) =>
    app.send(moderateForScripts, "/profile/reports", {
      form: { message: toKey(id, ana), uid: user.uid, ...form },
      cookie: user.cookie,
    });

  expect((await send(tomas, { action: "delete" })).status).toBe(403);
  expect((await send(olga, { action: "delete", uid: tomas.uid })).status).toBe(401);
  expect((await send(olga, { action: "praise" })).status).toBe(400);
  expect(await exists(`rooms/general/messages/${id}`)).toBe(true);
  const deleted = await send(olga, { action: "delete" });
  expect(await readJson(deleted)).toEqual({ status: "done" });
  expect(await exists(`rooms/general/messages/${id}`)).toBe(false);
  const dismissed = await send(olga, { action: "dismiss" });
  expect(dismissed.status).toBe(404);
  expect(await readJson(dismissed)).toMatchObject({
    message: "Another operator has already handled this.",
  });
});

test("asks before a deletion without scripts, at an address that stays on its page", async () => {
  await using talk = await startTalk();
  const { ana, tomas, olga } = talk;
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);

  const key = toKey(id, ana);
  expect((await olga.open(`${TAB}&delete=${key}`)).data).toMatchObject({
    reports: { confirmation: { step: "delete", key } },
  });
});

test("works without scripts, with a step of its own for a mute", async () => {
  await using app = await startTalk();
  const { ana, tomas } = app;
  await using browser = await startPlainBrowser({ TIME_ZONE: "UTC" }, app.app.firebase);
  const { email, password, localId } = await app.app.firebase.addAccount({
    displayName: "Wren",
    isOperator: true,
  });
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id, "spam", "It never burns.");
  await browser.post("/login", { email, password });

  const profile = await browser.get("/profile");
  const tab = await browser.follow(profile, "Reports 1");
  expect(readTexts(tab, ["h2"])).toEqual([
    "Confirm your e-mail",
    "1 open report",
    "Muted now",
    "Recent actions",
  ]);
  expect(readTexts(tab, ["article"]).join()).toContain(
    "Tomas, Spam or advertising: “It never burns.”",
  );
  for (const form of tab.html.match(/<form [^>]*method="post"[\s\S]*?<\/form>/g) ?? []) {
    if (form.includes('value="moderate"')) expect(form).toContain(`name="uid" value="${localId}"`);
  }
  const question = await browser.submit(tab, "Delete message");
  expect(readTexts(question, ["h4"])).toEqual(["Delete this message?"]);
  const kept = await browser.follow(question, "Cancel");
  const step = await browser.submit(kept, "Mute");
  expect(readTexts(step, ["h4"])).toEqual(["Mute Ana?"]);
  const done = await browser.submit(step, "Mute", { duration: "lifted", reason: "Advertising" });
  expect(readTexts(done, ["h2"])).toContain("No open reports.");
  expect(done.html).toContain("Muted.");
  expect(await readDocument(app.app.firebase.hosts, `rooms/general/messages/${id}`)).toMatchObject(
    MISSING,
  );
  const lifted = await browser.submit(done, "Lift the mute of Ana");
  expect(lifted.html).toContain("They can post again.");
});

test("without scripts, a message that is not to be deleted is kept after an error", async () => {
  await using talk = await startTalk();
  const { app, ana, tomas, exists } = talk;
  await using browser = await startPlainBrowser({}, app.firebase);
  const { email, password } = await app.firebase.addAccount({ isOperator: true });
  const id = await ana.send("Buy my lamp oil");
  await tomas.report(id);
  await browser.post("/login", { email, password });
  const step = await browser.get(`${TAB}&mute=${toKey(id, ana)}`);
  expectValue(step, "alsoDelete", "yes");

  // The form is refused, so that an empty value is as good as an unticked box.
  const refused = await browser.submit(step, "Mute", { reason: " ", alsoDelete: "" });
  expect(refused.html).toContain("Say why");
  const done = await browser.submit(refused, "Mute", { reason: "Advertising" });

  expect(done.html).toContain("Muted.");
  expect(await exists(`rooms/general/messages/${id}`)).toBe(true);
});

test("names and titles with invisible controls change the direction of no question", async () => {
  await using talk = await startTalk();
  const { app, tomas } = talk;
  await using browser = await startPlainBrowser({}, app.firebase);
  const wren = await join(app, "Wren\u202E");
  const story = { id: STORY, title: "The Salt\u202E Road", text: "It began." };
  await publishStory(app.firebase.hosts, story);
  const id = await wren.send(`/read/${STORY}\nThis is stolen`);
  await tomas.report(id);
  const key = toKey(id, wren);
  const { email, password } = await app.firebase.addAccount({ isOperator: true });
  await browser.post("/login", { email, password });

  const mute = await browser.get(`${TAB}&mute=${key}`);
  expect(readTexts(mute, ["h4"])).toEqual(["Mute Wren?"]);
  const unpublish = await browser.get(`${TAB}&unpublish=${key}`);
  expect(readTexts(unpublish, ["h4"])).toEqual(["Unpublish “The Salt Road”?"]);
});
