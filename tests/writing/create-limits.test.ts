import { expect, test } from "vitest";

import { action } from "#app/routes/create.tsx";
import { action as fromScript } from "#app/routes/drafts.ts";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-positions.ts";
import { action as toProfile } from "#app/routes/profile.tsx";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { openBrowser } from "#tests/support/profile-browser.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { readJson, signIn } from "#tests/support/routes.ts";

const MINUTE_MS = 60_000;

/** Returns 20 ages, a minute apart, starting with the oldest. */
function createAges(firstMs: number): number[] {
  return Array.from({ length: 20 }, (_, index) => firstMs - index * MINUTE_MS);
}

async function listStories(page: Awaited<ReturnType<typeof startCreatePage>>): Promise<string> {
  return JSON.stringify((await page.app.send(homeLoader, "/home?type=story")).data);
}

test("rejects the 21st publication within an hour, and keeps the text", async () => {
  await using page = await startCreatePage();
  const { app, person, cookie } = page;
  const { hosts } = app.firebase;
  await setRateRecord(hosts, person.localId, "publications", createAges(48.5 * MINUTE_MS));
  const form = createDraftForm({ intent: "publish", title: "One too many" });

  const response = await page.send(form);
  const script = await app.send(fromScript, "/drafts", { form, cookie });

  const error = {
    status: "error",
    reason: "invalid",
    message: "Not published.",
    hint: "You can publish again in 12 minutes. Your text is still in the editor.",
  };
  for (const { status, headers } of [response, script]) {
    expect(status).toBe(429);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(11 * 60);
    expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(11.5 * 60);
  }
  expect(response.data).toMatchObject({ result: error, typed: { title: "One too many" } });
  expect(await readJson(script)).toEqual(error);
  expect(await listStories(page)).not.toContain("One too many");
  expect((await page.send({ ...form, intent: "save" })).status).toBe(303);

  await setRateRecord(hosts, person.localId, "publications", createAges(60 * MINUTE_MS));
  expect((await page.send({ ...form, revision: "1" })).status).toBe(303);
  expect(await listStories(page)).toContain("One too many");
  // A correction counts as a publication.
  expect((await page.send({ ...form, title: "Corrected", revision: "2" })).status).toBe(429);
});

test("counts a form that is sent twice as one publication", async () => {
  await using page = await startCreatePage();
  const ages = createAges(30 * MINUTE_MS).slice(1);
  await setRateRecord(page.app.firebase.hosts, page.person.localId, "publications", ages);
  const form = createDraftForm({ intent: "publish" });

  expect((await page.send(form)).status).toBe(303);
  expect((await page.send(form)).status).toBe(303);
  expect((await page.send(createDraftForm({ intent: "publish" }))).status).toBe(429);
});

test("publishes two stories at the same moment", async () => {
  await using page = await startCreatePage();
  const publish = async (title: string) =>
    (await page.send(createDraftForm({ intent: "publish", title }))).status;

  expect(await Promise.all([publish("Salt"), publish("Sand")])).toEqual([303, 303]);

  const stories = await listStories(page);
  expect(stories).toContain("Salt");
  expect(stories).toContain("Sand");
});

test("publishes with the name in the token, even after the name has changed", async () => {
  await using page = await startCreatePage();
  const browser = openBrowser(page.app, page.cookie);
  const elsewhere = openBrowser(page.app, await signIn(page.app, page.person));
  const profile = { uid: page.person.localId, displayName: "Ana R.", photoURL: "" };
  expect((await browser.submit("save-profile", profile)).status).toBe(303);

  expect((await browser.publish("Renamed")).status).toBe(303);
  expect((await elsewhere.publish("As before")).status).toBe(303);

  const { data } = await page.app.send(homeLoader, "/home?type=story");
  expect(data).toMatchObject({
    page: {
      results: expect.arrayContaining([
        expect.objectContaining({ title: "Renamed", author: "Ana R." }),
        expect.objectContaining({ title: "As before", author: "Anonymous" }),
      ]),
    },
  });
});

test.each([
  ["\u200B\u3164", "Once", "Give your story a title first."],
  ["Salt", "\u200B\n\u2060", "Write a first line before you publish."],
])("does not publish an invisible title or text: %j, %j", async (title, text, hint) => {
  await using page = await startCreatePage();

  const response = await page.send(createDraftForm({ intent: "publish", title, text }));

  expect(response).toMatchObject({
    status: 400,
    data: { result: { hint }, typed: { title, text } },
  });
});

/** The binding of a rate limit that has been reached. */
const REACHED_LIMIT = { limit: () => Promise.resolve({ success: false }) };

test("rejects saves that come too often with the text, and asks to retry in a minute", async () => {
  await using page = await startCreatePage();
  const app = page.app.withBindings({ WRITES: REACHED_LIMIT });
  const form = createDraftForm();
  const send = (handler: typeof action, path: string, fields: Record<string, string>) =>
    app.send(handler, path, { form: fields, cookie: page.cookie });
  const error = {
    status: "error",
    reason: "too-fast",
    message: "Not saved.",
    hint: "You're saving too often. Nothing was lost; try again in a minute.",
  };

  for (const intent of ["save", "publish", "preview"]) {
    const response = await send(action, "/create", { ...form, intent });
    expect(response).toMatchObject({
      status: 429,
      data: { result: error, typed: { text: "The tide\ncame in." } },
    });
    expect(response.headers.get("Retry-After")).toBe("60");
  }
  const script = await app.send(fromScript, "/drafts", { form, cookie: page.cookie });
  expect([script.status, script.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await readJson(script)).toEqual(error);
  expect(await page.list()).toEqual([]);
});

test("does not save reading positions that come too often, and says so", async () => {
  await using page = await startCreatePage();
  const app = page.app.withBindings({ WRITES: REACHED_LIMIT });
  const position = {
    ...{ story: "the-understudy-moon", title: "The Understudy Moon", paragraph: "p-1x2y3z" },
    ...{ start: "The", offset: 0, number: 1, percent: 40, minutesLeft: 1, time: 1000 },
  };
  const form = { position: JSON.stringify(position) };

  const response = await app.send(savePosition, "/reading-positions", {
    form,
    cookie: page.cookie,
  });

  expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await readJson(response)).toMatchObject({ reason: "too-fast" });
});

test("rejects the 31st change of the profile within a minute, and shows the typed text again", async () => {
  await using page = await startCreatePage();
  const change = (displayName: string) => {
    const form = { intent: "save-profile", displayName, photoURL: "" };
    return page.app.send(toProfile, "/profile", { form, cookie: page.cookie });
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
      values: { displayName: "Ana 31" },
    },
  });
});

test("lists the 200 drafts that were changed last, and the older ones behind a link", async () => {
  await using page = await startCreatePage();
  const forms = Array.from({ length: 201 }, (_, index) =>
    createDraftForm({ title: `Draft ${index}` }),
  );
  const [first, ...others] = forms;
  if (first) await page.send(first);
  // All at once would take longer than a save waits.
  for (let start = 0; start < others.length; start += 20) {
    await Promise.all(others.slice(start, start + 20).map((form) => page.send(form)));
  }

  const address = "/create?new&panel=drafts";
  const newest = await page.load(address);
  const { older } = newest.sidePanel.kind === "drafts" ? newest.sidePanel : { older: null };

  expect(await page.list(address)).toHaveLength(200);
  expect(await page.list(`${address}&older=${older}`)).toMatchObject([{ title: "Draft 0" }]);
  expect((await page.load(`${address}&older=${older}`)).sidePanel).toMatchObject({ older: null });
  expect(await page.list(`${address}&older=x`)).toHaveLength(200);
});
