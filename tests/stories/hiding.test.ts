import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";

import { action } from "#app/routes/hidden.ts";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { action as followingAction } from "#app/routes/following.ts";
import { action as savedAction } from "#app/routes/saved.ts";
import { action as surpriseAction } from "#app/routes/surprise.ts";
import { builtInStories } from "#app/stories/built-in.server.ts";
import { createHiding, withoutAsked } from "#app/stories/library/hiding.server.ts";
import { HIDDEN_KINDS, MAX_HIDDEN_ITEMS } from "#app/stories/library/library.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import {
  readJson,
  signIn,
  startApp,
  toCookieHeader,
  type SendOptions,
  type TestApp,
} from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const HERON = "what-the-heron-keeps";
const ORCHARD = "the-lamplighters-orchard";
const BROWSER = { Accept: "text/html" };

const homeSchema = z.object({
  page: z.looseObject({
    results: z.array(z.looseObject({ title: z.string() })),
    suggestions: z.array(z.object({ name: z.string() })),
    offeredTags: z.array(z.string()),
    hiddenCount: z.number(),
  }),
  title: z.string().optional(),
  hidden: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() })),
  hiddenBooks: z.array(z.string()),
  isTagHidden: z.boolean(),
  firstStory: z.string().nullable(),
  saved: z.array(z.looseObject({ id: z.string() })),
  newStories: z.array(z.looseObject({ title: z.string() })),
  published: z.string().nullable(),
  writer: z.looseObject({ name: z.string().nullable(), isHidden: z.boolean() }).nullable(),
});

async function load(app: TestApp, path: string, cookie: string) {
  const { data } = await app.send(homeLoader, path, { cookie });
  const home = homeSchema.parse(data);
  return { ...home, titles: home.page.results.map(({ title }) => title) };
}

async function read(app: TestApp, id: string, cookie: string) {
  const { data } = await app.send(readLoader, `/read/${id}.data`, { params: { id }, cookie });
  const { story } = z
    .object({ story: z.looseObject({ hiding: z.object({ kind: z.string() }).nullable() }) })
    .parse(data);
  return story;
}

/** Hides or shows something, as a form without scripts does. Returns the browser's cookies afterwards. */
async function change(
  app: TestApp,
  form: Record<string, string>,
  cookie: string,
  options: SendOptions = { headers: BROWSER },
) {
  const returnTo = "/home?tag=sea";
  const response = await app.send(action, "/hidden", {
    form: { intent: "hide", ...form, returnTo },
    cookie,
    ...options,
  });
  return { response, cookie: mergeCookies(cookie, toCookieHeader(response.headers)) };
}

/** Returns the `Cookie` header of a browser with these cookies, of which the later ones replace the others. */
function mergeCookies(...headers: string[]): string {
  const pairs = headers.flatMap((header) => header.split("; ")).filter(Boolean);
  const cookies = new Map(pairs.map((pair) => [pair.split("=")[0], pair]));
  return [...cookies.values()].filter((pair) => !pair.endsWith("=")).join("; ");
}

const STORIES = [
  { id: "tide-one-1000000001", title: "Tide One", uid: "ana", author: "Ana", tags: ["Sea"] },
  { id: "tide-two-1000000002", title: "Tide Two", uid: "mira", author: "Mira", tags: ["Night"] },
  { id: "tide-three-1000000003", title: "Tide Three", uid: "zoe", author: "Zoe", tags: [] },
];

async function publishAll(app: TestApp): Promise<void> {
  for (const [index, story] of STORIES.entries()) {
    const publishedAt = new Date(Date.now() - (index + 1) * 60_000).toISOString();
    await publishStory(app.firebase.hosts, { text: "It began.", publishedAt, ...story });
  }
}

const KINDS = [
  ["a story", { story: "tide-one-1000000001" }],
  ["a tag", { tag: "SEA" }],
  ["a writer", { writer: "ana" }],
] as const;

for (const who of ["a visitor", "a user"] as const) {
  const start = async (app: TestApp) =>
    who === "a user" ? signIn(app, await app.firebase.addAccount()) : "";

  test.each(KINDS)(
    `${who} hides %s from lists and searches, and shows it again`,
    async (_, form) => {
      await using app = await startApp();
      await publishAll(app);
      const before = await start(app);
      expect((await load(app, "/home?q=tide", before)).titles).toContain("Tide One");

      const { response, cookie } = await change(app, { ...form }, before);

      expect(response.status).toBe(303);
      expect(response.headers.get("Location")).toBe("/home?tag=sea");
      for (const path of [
        "/home?q=tide",
        "/home?type=story",
        "/home?sort=new",
        "/home?q=tide&tag=-x",
      ]) {
        const { titles } = await load(app, path, cookie);
        expect([path, titles.filter((title) => title.startsWith("Tide"))]).toEqual([
          path,
          ["Tide Two", "Tide Three"],
        ]);
      }
      const search = await load(app, "/home?q=tide", cookie);
      expect(search.title).toBe("2 results for “tide”");
      expect(search.page.hiddenCount).toBe(1);
      expect(search.page.offeredTags).not.toContain("sea");
      expect((await load(app, "/home?q=tude+one", cookie)).page.suggestions).toEqual([]);
      expect((await load(app, "/home", cookie)).published).toMatch(/^2 published here/);

      const shown = await change(app, { ...form, intent: "show" }, cookie);
      expect((await load(app, "/home?q=tide", shown.cookie)).titles).toContain("Tide One");
    },
  );

  test(`${who} opens what is hidden at its own address, which says so`, async () => {
    await using app = await startApp();
    await publishAll(app);
    let cookie = await start(app);
    for (const [, form] of KINDS) ({ cookie } = await change(app, { ...form }, cookie));

    expect((await read(app, "tide-one-1000000001", cookie)).hiding).toMatchObject({
      kind: "story",
    });
    const writer = await load(app, "/home?writer=ana", cookie);
    expect(writer.writer).toMatchObject({ name: "Ana", isHidden: true });
    expect(writer.page).toMatchObject({ results: [], hiddenCount: 1, suggestions: [] });
    // The story is still hidden by itself.
    ({ cookie } = await change(app, { ...KINDS[0][1], intent: "show" }, cookie));
    expect((await load(app, "/home?tag=sea", cookie)).isTagHidden).toBe(true);
    expect((await read(app, "tide-one-1000000001", cookie)).hiding).toMatchObject({
      kind: "writer",
    });
    ({ cookie } = await change(app, { writer: "ana", intent: "show" }, cookie));
    expect((await load(app, "/home?tag=sea", cookie)).titles).toContain("Tide One");
    expect((await load(app, "/home?tag=night", cookie)).isTagHidden).toBe(false);
    expect((await read(app, "tide-three-1000000003", cookie)).hiding).toBeNull();
  });

  test(`${who} sees no hidden book in the rows of Home, nor by surprise`, async () => {
    await using app = await startApp();
    let cookie = await start(app);
    const form = { intent: "save", story: HERON };
    const saved = await app.send(savedAction, "/saved", { form, cookie, headers: BROWSER });
    cookie = mergeCookies(cookie, toCookieHeader(saved.headers));
    for (const { id } of builtInStories.slice(0, -1)) {
      ({ cookie } = await change(app, { story: id }, cookie));
      if (cookie.length > 2000 && who === "a visitor") break;
    }

    const home = await load(app, "/home", cookie);
    const hidden = home.hidden.map(({ id }) => id);
    expect(hidden.length).toBeGreaterThan(5);
    expect(home.hiddenBooks.toSorted()).toEqual(hidden.toSorted());
    expect(hidden).toContain(ORCHARD);
    expect(home.firstStory).not.toBe(ORCHARD);
    expect(home.titles).not.toContain("The Lamplighter's Orchard");
    expect(home.saved.map(({ id }) => id)).toEqual(hidden.includes(HERON) ? [] : [HERON]);
    for (let count = 0; count < 10; count += 1) {
      const { headers } = await app.send(surpriseAction, "/surprise", { form: {}, cookie });
      expect(hidden).not.toContain(headers.get("Location")?.replace("/read/", ""));
    }
  });

  test(`a story leads ${who} to no hidden story`, async () => {
    await using app = await startApp();
    await publishAll(app);
    const [first, second, third] = builtInStories.map(({ id }) => id);
    const last = builtInStories.at(-1)?.id ?? "";
    let cookie = await start(app);
    // Reads the newest stories, which the end of a story may lead to.
    await load(app, "/home?type=story&tag=x", cookie);
    await load(app, "/home?q=tide", cookie);
    ({ cookie } = await change(app, { story: second ?? "" }, cookie));
    ({ cookie } = await change(app, { story: "tide-one-1000000001" }, cookie));

    const end = String((await read(app, first ?? "", cookie)).end);
    expect(end).not.toContain(`/read/${second}`);
    expect(end).toContain(`/read/${third}`);
    const go = async (id: string, direction: string) => {
      const path = `/read/${id}?go=${direction}`;
      const { headers } = await app.send(readLoader, path, { params: { id }, cookie });
      return headers.get("Location");
    };
    expect(await go(first ?? "", "next")).toBe(`/read/${third}`);
    expect(await go(third ?? "", "previous")).toBe(`/read/${first}`);
    expect(await go(last, "next")).toBe("/read/tide-two-1000000002");
    expect(await go("tide-two-1000000002", "previous")).toBe(`/read/${last}`);
    ({ cookie } = await change(app, { writer: "mira" }, cookie));
    expect(await go(last, "next")).toBe("/read/tide-three-1000000003");
  });
}

test("hides new stories of followed writers on Home", async () => {
  await using app = await startApp();
  await publishAll(app);
  const signedIn = await signIn(app, await app.firebase.addAccount());
  for (const writer of ["ana", "mira"]) {
    const form = { intent: "follow", writer };
    await app.send(followingAction, "/following", { form, cookie: signedIn, headers: BROWSER });
  }
  const { cookie } = await change(app, { tag: "night" }, signedIn);

  const { newStories } = await load(app, "/home", cookie);
  expect(newStories.map(({ title }) => title)).toEqual(["Tide One"]);
});

test("what is hidden in an account is hidden on other devices, and in the profile with a list", async () => {
  await using app = await startApp();
  await publishAll(app);
  const person = await app.firebase.addAccount();
  const [phone, laptop] = [await signIn(app, person), await signIn(app, person)];
  const { response } = await change(app, { tag: " Sea " }, phone);
  expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith("unwanted"))).toEqual(
    [],
  );
  await change(app, { story: HERON }, phone);

  expect((await load(app, "/home?q=tide", laptop)).titles).toEqual(["Tide Two", "Tide Three"]);
  const { data } = await app.send(profileLoader, "/profile?tab=hidden", { cookie: laptop });
  expect(data).toMatchObject({
    hiddenItems: [
      { kind: "story", id: HERON, name: "What the Heron Keeps" },
      { kind: "tag", id: "sea", name: "Sea" },
    ],
  });
});

test("hides the stories with a tag of signs, and none with another such tag", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const story = { title: "Tide", text: "It rose." };
  await publishStory(hosts, { ...story, id: "fire-0123456789", tags: ["\u{1F525}"] });
  await publishStory(hosts, { ...story, id: "love-0123456789", tags: ["\u2764\uFE0F"] });
  const person = await signIn(app, await app.firebase.addAccount());

  for (const visitor of ["", person]) {
    const { cookie } = await change(app, { tag: "\u{1F525}" }, visitor);
    const { page, isTagHidden } = await load(app, "/home?q=tide", cookie);
    expect(page.results).toMatchObject([{ id: "love-0123456789" }]);
    expect(isTagHidden).toBe(false);
    expect((await load(app, "/home?tag=%F0%9F%94%A5", cookie)).isTagHidden).toBe(true);
  }
});

test("what a visitor has hidden stays hidden after signing in, and can be shown again", async () => {
  await using app = await startApp();
  const visitor = await change(app, { story: HERON }, "");
  const signedIn = await signIn(app, await app.firebase.addAccount());
  const cookie = mergeCookies(signedIn, visitor.cookie);

  expect((await load(app, "/home", cookie)).hiddenBooks).toEqual([HERON]);
  const { response } = await change(app, { story: HERON, intent: "show" }, cookie);
  expect(response.headers.get("Set-Cookie")).toMatch(/^unwanted=; Max-Age=0/);
});

test.each([
  ["a story that does not exist", { story: "no-such-story" }, "This story doesn't exist."],
  ["a writer without stories", { writer: "nobody" }, "You can't hide this writer."],
  ["an invalid writer", { writer: "../x" }, "You can't hide this writer."],
  ["an empty tag", { tag: " " }, "You can't hide this tag."],
  ["a long tag", { tag: "x".repeat(61) }, "You can't hide this tag."],
  ["nothing", {}, "This story doesn't exist."],
])("hides nothing for %s", async (_what, form, message) => {
  await using app = await startApp();

  const { response } = await change(app, form, "", {});

  expect([response.status, await readJson(response)]).toMatchObject([400, { message }]);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("nobody hides their own stories by their name", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  await publishStory(app.firebase.hosts, {
    ...STORIES[0],
    text: "x",
    uid: person.localId,
  } as never);
  const { response } = await change(app, { writer: person.localId }, await signIn(app, person), {});

  expect(response.status).toBe(400);
});

test("says when a browser or an account can hide no more, and keeps what is hidden", async () => {
  await using app = await startApp();
  let visitor = { response: new Response() as { status: number; headers: Headers }, cookie: "" };
  let hidden = 0;
  for (let index = 0; index < 100 && visitor.response.status < 400; index += 1) {
    const next = await change(app, { tag: `a rather long tag ${index}` }, visitor.cookie);
    if (next.response.status === 303) hidden += 1;
    visitor = next;
  }
  expect(visitor.response).toMatchObject({
    status: 409,
    data: { message: "This browser can't hide more. Show something again, or sign in." },
  });
  expect(hidden).toBeGreaterThan(10);
  expect((await load(app, "/home", visitor.cookie)).hidden).toHaveLength(hidden);

  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const { getLibrary } = await import("#app/stories/library/library.server.ts");
  const library = getLibrary(app.contextFor(new Request("http://localhost/")));
  const user = { uid: person.localId, idToken: person.idToken } as never;
  for (let index = 0; index < MAX_HIDDEN_ITEMS; index += 1) {
    await library.hide(user, { kind: "tag", id: `t${index}`, name: `t${index}` });
  }
  const full = await change(app, { story: HERON }, cookie);
  expect(full.response).toMatchObject({
    status: 409,
    data: { message: "You can hide up to 100 stories, tags and writers. Show one again first." },
  });
});

test.each(["%5B", "[7]", "%7B%7D", encodeURIComponent('[{"kind":"x","id":"a","name":"b"}]')])(
  "a damaged cookie hides nothing: %s",
  async (value) => {
    await using app = await startApp();

    expect((await load(app, "/home", `unwanted=${value}`)).hidden).toEqual([]);
  },
);

test("pages make no more than three requests for users who have hidden something", async () => {
  await using app = await startApp();
  await publishAll(app);
  const signedIn = await signIn(app, await app.firebase.addAccount());
  const { cookie } = await change(app, { tag: "sea" }, signedIn);
  using counter = startRequestCounter();
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = app.firebase.hosts;
  const counted = app.withVariables({
    FIREBASE_AUTH_EMULATOR_HOST: await counter.proxy(FIREBASE_AUTH_EMULATOR_HOST),
    FIRESTORE_EMULATOR_HOST: await counter.proxy(FIRESTORE_EMULATOR_HOST),
  });
  await load(counted, "/home", cookie);

  for (const path of ["/home", "/home?writer=mira"]) {
    const before = counter.count();
    await load(counted, path, cookie);
    expect(counter.count() - before).toBeLessThanOrEqual(3);
  }
  const before = counter.count();
  await read(counted, "tide-two-1000000002", cookie);
  expect(counter.count() - before).toBeLessThanOrEqual(3);
});

const id = fc.constantFrom("a", "b", "c", "story", "tag", "writer");
const itemArbitrary = fc.record({ kind: fc.constantFrom(...HIDDEN_KINDS), id, name: id });
const storyArbitrary = fc.record({ id, writer: id, tags: fc.array(id, { maxLength: 3 }) });

test("a story is hidden exactly by itself, its writer and its tags", () => {
  fc.assert(
    fc.property(fc.array(itemArbitrary), storyArbitrary, (hidden, story) => {
      const isHidden = hidden.some(
        (item) =>
          (item.kind === "story" && item.id === story.id) ||
          (item.kind === "writer" && item.id === story.writer) ||
          (item.kind === "tag" && story.tags.includes(item.id)),
      );
      expect(createHiding(hidden)(story) !== undefined).toBe(isHidden);
      const { writer, tags } = story;
      const findHiding = createHiding(withoutAsked(hidden, { writer, tags }));
      expect(findHiding(story) !== undefined).toBe(
        hidden.some((item) => item.kind === "story" && item.id === story.id),
      );
    }),
  );
});
