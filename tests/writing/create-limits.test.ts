import { expect, test } from "vitest";

import { action } from "#app/routes/create.tsx";
import { action as fromScript } from "#app/routes/drafts.ts";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as toPlaces } from "#app/routes/places.ts";
import { action as toProfile } from "#app/routes/profile.tsx";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { openBrowser } from "#tests/support/profile-browser.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { readJson, signIn } from "#tests/support/routes.ts";

const MINUTE_MS = 60_000;

/** Twenty, a minute apart, the first of them so long ago. */
function twenty(firstMs: number): number[] {
  return Array.from({ length: 20 }, (_, index) => firstMs - index * MINUTE_MS);
}

async function listStories(desk: Awaited<ReturnType<typeof openEditorPage>>): Promise<string> {
  return JSON.stringify((await desk.app.send(homeLoader, "/home")).data);
}

test("a 21st publication within an hour is refused with the time and the text, which can be saved all the same", async () => {
  await using desk = await openEditorPage();
  const { app, person, cookie } = desk;
  const { hosts } = app.firebase;
  await setRateRecord(hosts, person.localId, "publications", twenty(48.5 * MINUTE_MS));
  const form = newStoryForm({ intent: "publish", title: "One too many" });

  const answer = await desk.send(form);
  const script = await app.send(fromScript, "/drafts", { form, cookie });

  const refusal = {
    status: "refused",
    reason: "invalid",
    message: "Not published.",
    hint: "You can publish again in 12 minutes. Your text is still in the editor.",
  };
  for (const { status, headers } of [answer, script]) {
    expect(status).toBe(429);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(11 * 60);
    expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(11.5 * 60);
  }
  expect(answer.data).toMatchObject({ reply: refusal, typed: { title: "One too many" } });
  expect(await readJson(script)).toEqual(refusal);
  expect(await listStories(desk)).not.toContain("One too many");
  expect((await desk.send({ ...form, intent: "save" })).status).toBe(303);

  await setRateRecord(hosts, person.localId, "publications", twenty(60 * MINUTE_MS));
  expect((await desk.send({ ...form, revision: "1" })).status).toBe(303);
  expect(await listStories(desk)).toContain("One too many");
  // A correction is a publication like any other.
  expect((await desk.send({ ...form, title: "Corrected", revision: "2" })).status).toBe(429);
});

test("publishing twice by the same form counts once", async () => {
  await using desk = await openEditorPage();
  const ages = twenty(30 * MINUTE_MS).slice(1);
  await setRateRecord(desk.app.firebase.hosts, desk.person.localId, "publications", ages);
  const form = newStoryForm({ intent: "publish" });

  expect((await desk.send(form)).status).toBe(303);
  expect((await desk.send(form)).status).toBe(303);
  expect((await desk.send(newStoryForm({ intent: "publish" }))).status).toBe(429);
});

test("two stories that are published at the same moment both are", async () => {
  await using desk = await openEditorPage();
  const publish = async (title: string) =>
    (await desk.send(newStoryForm({ intent: "publish", title }))).status;

  expect(await Promise.all([publish("Salt"), publish("Sand")])).toEqual([303, 303]);

  const stories = await listStories(desk);
  expect(stories).toContain("Salt");
  expect(stories).toContain("Sand");
});

test("a story bears the name of the token it is published with, also after the name has changed", async () => {
  await using desk = await openEditorPage();
  const browser = openBrowser(desk.app, desk.cookie);
  const elsewhere = openBrowser(desk.app, await signIn(desk.app, desk.person));
  const profile = { uid: desk.person.localId, displayName: "Ana R.", photoURL: "" };
  expect((await browser.submit("save-profile", profile)).status).toBe(303);

  expect((await browser.publish("Renamed")).status).toBe(303);
  expect((await elsewhere.publish("As before")).status).toBe(303);

  const { data } = await desk.app.send(homeLoader, "/home");
  expect(data).toMatchObject({
    newStories: expect.arrayContaining([
      expect.objectContaining({ title: "Renamed", author: "Ana R." }),
      expect.objectContaining({ title: "As before", author: "Anonymous" }),
    ]),
  });
});

test.each([
  ["\u200B\u3164", "Once", "Give your story a title first."],
  ["Salt", "\u200B\n\u2060", "Write a first line before you publish."],
])("a title or text that shows nothing is not published: %j, %j", async (title, text, hint) => {
  await using desk = await openEditorPage();

  const answer = await desk.send(newStoryForm({ intent: "publish", title, text }));

  expect(answer).toMatchObject({ status: 400, data: { reply: { hint }, typed: { title, text } } });
});

/** The deployment's own limit, which has been reached. */
const REACHED = { limit: () => Promise.resolve({ success: false }) };

test("who saves too often is told so with their text, and to come back in a minute", async () => {
  await using desk = await openEditorPage();
  const app = desk.app.withBindings({ WRITES: REACHED });
  const form = newStoryForm();
  const send = (handler: typeof action, path: string, fields: Record<string, string>) =>
    app.send(handler, path, { form: fields, cookie: desk.cookie });
  const refusal = {
    status: "refused",
    reason: "too-fast",
    message: "Not saved.",
    hint: "You're saving too often. Nothing was lost; try again in a minute.",
  };

  for (const intent of ["save", "publish", "preview"]) {
    const answer = await send(action, "/create", { ...form, intent });
    expect(answer).toMatchObject({
      status: 429,
      data: { reply: { ...refusal }, typed: { text: "The tide\ncame in." } },
    });
    expect(answer.headers.get("Retry-After")).toBe("60");
  }
  const script = await app.send(fromScript, "/drafts", { form, cookie: desk.cookie });
  expect([script.status, script.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await readJson(script)).toEqual(refusal);
  expect(await desk.list()).toEqual([]);
});

test("a place that is sent too often is not kept, and says so", async () => {
  await using desk = await openEditorPage();
  const app = desk.app.withBindings({ WRITES: REACHED });
  const place = {
    ...{ story: "the-understudy-moon", title: "The Understudy Moon", paragraph: "p-1x2y3z" },
    ...{ start: "The", offset: 0, number: 1, percent: 40, minutesLeft: 1, time: 1000 },
  };
  const form = { place: JSON.stringify(place) };

  const answer = await app.send(toPlaces, "/places", { form, cookie: desk.cookie });

  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await readJson(answer)).toEqual({ isKept: false });
});

test("a 31st change of the profile within a minute is refused, and what was typed comes back", async () => {
  await using desk = await openEditorPage();
  const change = (displayName: string) => {
    const form = { intent: "save-profile", displayName, photoURL: "" };
    return desk.app.send(toProfile, "/profile", { form, cookie: desk.cookie });
  };
  for (let count = 1; count <= 30; count += 1) {
    expect((await change(`Ana ${count}`)).status).toBe(303);
  }

  expect(await change("Ana 31")).toMatchObject({
    status: 429,
    data: {
      banner: {
        message: "Not saved.",
        hint: "You've changed your profile too many times. Try again in a minute.",
      },
      typed: { displayName: "Ana 31" },
    },
  });
});
