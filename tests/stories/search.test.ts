import { expect, test } from "vitest";
import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createAction } from "#app/routes/create.tsx";
import { loader } from "#app/routes/home.tsx";
import { builtInStories } from "#app/stories/built-in.server.ts";
import { toTagPath } from "#app/stories/book.ts";
import { sampleItems } from "#app/stories/sample-items.server.ts";
import { toSearchPath } from "#app/stories/search.ts";
import {
  createTerms,
  matchesText,
  MAX_TERMS,
  normalizeText,
  splitQuery,
} from "#app/stories/terms.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { clearFields, deleteStory, publishStory } from "#tests/support/stories.ts";

const pageSchema = z.object({
  page: z.looseObject({
    results: z.array(z.looseObject({ id: z.string(), title: z.string() })),
    next: z.object({ value: z.number(), id: z.string() }).nullable(),
    offeredTags: z.array(z.string()),
    isPartial: z.boolean(),
  }),
  writer: z.looseObject({ name: z.string().nullable() }).nullable(),
});

async function load(app: TestApp, path: string, cookie?: string) {
  const { data } = await app.send(loader, path, cookie === undefined ? {} : { cookie });
  const { page, writer } = pageSchema.parse(data);
  // The values are valid, because the loader has returned them.
  const next =
    page.next && toSearchPath({ ...page, after: page.next } as never, { after: page.next });
  const { results, offeredTags: tags, isPartial } = page;
  return { titles: results.map(({ title }) => title), next, writer, tags, isPartial };
}

/** Publishes stories one after the other, the first in the list first. */
async function publishAll(
  app: TestApp,
  stories: Partial<Parameters<typeof publishStory>[1]>[],
): Promise<void> {
  for (const [index, story] of stories.entries()) {
    const id = `a-story-${String(1_000_000_000 + index)}`;
    const publishedAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    const title = `Story ${index}`;
    await publishStory(app.firebase.hosts, { id, title, text: "It began.", publishedAt, ...story });
  }
}

test("finds the stories in a language, alone and with the rest of the search", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "Salz", language: "de", tags: ["meer"] },
    { title: "Sand", language: "de" },
    { title: "Sal", language: "es", tags: ["meer"] },
    { title: "Salt of unknown language" },
    ...Array.from({ length: 60 }, () => ({ language: "en" })),
  ]);

  expect((await load(app, "/home?lang=de")).titles).toEqual(["Sand", "Salz"]);
  expect((await load(app, "/home?lang=de&sort=short")).titles).toEqual(["Salz", "Sand"]);
  expect((await load(app, "/home?lang=de&tag=meer")).titles).toEqual(["Salz"]);
  expect((await load(app, "/home?lang=es&q=sal")).titles).toEqual(["Sal"]);
  expect((await load(app, "/home?lang=de&writer=ana")).titles).toEqual(["Sand", "Salz"]);
  expect((await load(app, "/home?lang=fr")).titles).toEqual([]);
  expect((await load(app, "/home?lang=en&type=quest")).titles).toHaveLength(6);
  // An unknown language is no search.
  expect((await load(app, "/home?lang=klingon")).titles).toHaveLength(11);
});

test("offers the languages of the listed stories, and the one that is asked for", async () => {
  await using app = await startApp();
  await using empty = await startApp();
  const offer = async (path: string, on: TestApp = app) => {
    const { data } = await on.send(loader, path);
    const languages = z.array(z.object({ tag: z.string(), name: z.string() }));
    return z.object({ page: z.object({ languages }), title: z.string().optional() }).parse(data);
  };
  const english = { tag: "en", name: "English" };
  expect((await offer("/home", empty)).page.languages).toEqual([english]);

  await publishAll(app, [{ language: "de", title: "Salz" }, { title: "Of no language" }]);
  const german = { tag: "de", name: "Deutsch" };
  const french = { tag: "fr", name: "Français" };
  expect((await offer("/home")).page.languages).toEqual([english, german]);
  expect((await offer("/home?type=story")).page.languages).toEqual([german]);
  expect((await offer("/home?lang=fr")).page.languages).toEqual([french]);
  expect((await offer("/home?lang=fr")).title).toBe("No results in Français");
  expect((await offer("/home?lang=de")).title).toBe("1 story in Deutsch");
});

const OTHERS = Array.from({ length: 55 }, () => ({}));

test("suggests the nearest titles and writers when a misspelled search finds nothing", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "The Cormorant Year", author: "Marguerite Oldcastle", uid: "marguerite" },
    { title: "Salt and Sand", author: "Tomas Lund", uid: "tomas" },
  ]);
  const suggest = async (query: string) => {
    const { data } = await app.send(loader, `/home?q=${encodeURIComponent(query)}`);
    return z
      .object({
        page: z.object({ suggestions: z.array(z.object({ name: z.string(), path: z.string() })) }),
      })
      .parse(data).page.suggestions;
  };

  const cormorant = { name: "The Cormorant Year", path: "/read/a-story-1000000000" };
  for (const query of ["cormornat", "cormarant yeer", "Corrmorant"]) {
    expect([query, await suggest(query)]).toEqual([query, [cormorant]]);
  }
  expect(await suggest("margeurite")).toEqual([
    { name: "Marguerite Oldcastle", path: "/home?writer=marguerite" },
  ]);
  expect(await suggest("lampligter")).toMatchObject([{ name: "The Lamplighter's Orchard" }]);
  for (const query of ["cormorant", "comaoratd", "curaotrnt", "zzzzzz", "x", "?"]) {
    expect([query, await suggest(query)]).toEqual([query, []]);
  }
});

test("finds letters that have another form by their plain Latin letters, and the other way round", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "Straße nach Ærø" },
    { title: "Łukasz und Diyarbakır" },
    { title: "Киев" },
  ]);

  for (const [query, title] of [
    ["strasse", "Straße nach Ærø"],
    ["STRASSE", "Straße nach Ærø"],
    ["straße aero", "Straße nach Ærø"],
    ["ærø", "Straße nach Ærø"],
    ["lukasz", "Łukasz und Diyarbakır"],
    ["diyarbakir", "Łukasz und Diyarbakır"],
    ["kiev", "Киев"],
    ["киев", "Киев"],
  ] as const) {
    const { titles } = await load(app, `/home?q=${encodeURIComponent(query)}`);
    expect([query, titles]).toEqual([query, [title]]);
  }
});

test("finds a story that is not among the newest by the beginnings of all words", async () => {
  await using app = await startApp();
  const story = {
    title: "The Sedge Régime",
    author: "Ana Reyes",
    description: "A harbour clerk writes down every boat.",
    tags: ["Small Towns"],
  };
  await publishAll(app, [story, ...OTHERS]);

  for (const query of ["sedg", "REGIME", "sedge reyes", "harb sma sedge", "towns clerk"]) {
    const { titles } = await load(app, `/home?q=${encodeURIComponent(query)}`);
    expect([query, titles]).toEqual([query, ["The Sedge Régime"]]);
  }
  expect((await load(app, "/home?q=sedge+storm")).titles).toEqual([]);
  expect((await load(app, "/home?q=edge")).titles).toEqual([]);
});

test("finds text without spaces between words", async () => {
  await using app = await startApp();
  await publishAll(app, [{ title: "雨の地図" }, { title: "雪の国" }, ...OTHERS]);

  for (const query of ["雨", "地図", "図", "雨の地図"]) {
    const { titles } = await load(app, `/home?q=${encodeURIComponent(query)}`);
    expect([query, titles]).toEqual([query, ["雨の地図"]]);
  }
  expect((await load(app, `/home?q=${encodeURIComponent("雨国")}`)).titles).toEqual([]);
});

test("finds words of both scripts where a text changes between them without a space", async () => {
  await using app = await startApp();
  await publishAll(app, [{ title: "iPhoneのコーヒー2024年" }, { title: "国の話" }, ...OTHERS]);

  for (const query of ["iphone", "コーヒー", "の", "2024", "年", "iPhoneのコーヒー"]) {
    const { titles } = await load(app, `/home?q=${encodeURIComponent(query)}`);
    expect([query, titles]).toEqual([query, expect.arrayContaining(["iPhoneのコーヒー2024年"])]);
  }
  expect((await load(app, "/home?q=phone")).titles).toEqual([]);
});

test.each(["!!!", "❤️", "…"])("finds nothing for %s, which has no words", async (query) => {
  await using app = await startApp();
  await publishAll(app, [{ title: "Tide A", tags: ["sea"] }]);

  for (const filter of ["", "&tag=sea", "&writer=ana", "&type=book"]) {
    const path = `/home?q=${encodeURIComponent(query)}${filter}`;
    expect(await load(app, path)).toMatchObject({
      titles: [],
      next: null,
      tags: [],
      isPartial: false,
    });
  }
});

test("finds a story that was published before there was an index", async () => {
  await using app = await startApp();
  await publishAll(app, [{ title: "The Old Ledger", tags: ["sea"], isWithoutTerms: true }]);

  expect((await load(app, "/home?q=ledger")).titles).toEqual(["The Old Ledger"]);
  expect((await load(app, "/home?tag=sea&type=story")).titles).toEqual(["The Old Ledger"]);
});

test("shows every result exactly once on its pages", async () => {
  await using app = await startApp();
  await publishAll(
    app,
    Array.from({ length: 60 }, (_, index) => ({ title: `Tide ${index}`, words: index % 7 })),
  );

  for (const sort of ["", "&sort=updated", "&sort=short", "&sort=long"]) {
    const found: string[] = [];
    let path: string | null = `/home?q=tide${sort}`;
    for (let pages = 0; path !== null && pages < 5; pages += 1) {
      const page = await load(app, path);
      found.push(...page.titles);
      path = page.next;
    }
    expect(path).toBeNull();
    expect(found).toHaveLength(60);
    expect(new Set(found).size).toBe(60);
  }
});

test("false numbers of words keep no story from the lists by length", async () => {
  await using app = await startApp();
  await publishAll(app, [
    ...Array.from({ length: 30 }, (_, index) => ({ title: `Tide ${index}`, words: index })),
    ...Array.from({ length: 25 }, () => ({ title: "Tide of words", words: 9.2e18 })),
  ]);

  for (const sort of ["short", "long"]) {
    const found: string[] = [];
    let path: string | null = `/home?writer=ana&sort=${sort}`;
    for (let pages = 0; path !== null && pages < 5; pages += 1) {
      const page = await load(app, path);
      found.push(...page.titles);
      path = page.next;
    }
    expect(path).toBeNull();
    expect(new Set(found.filter((title) => title !== "Tide of words")).size).toBe(30);
  }
  const { data } = await app.send(loader, "/home?q=tide+of+words");
  expect(data).toHaveProperty("page.results.0.minutes", 2609);
});

test("shows stories of the same millisecond exactly once on their pages", async () => {
  await using app = await startApp();
  const toTime = (index: number) => `2026-01-01T00:00:00.123${String(900 - index)}Z`;
  await publishAll(
    app,
    Array.from({ length: 30 }, (_, index) => ({
      title: `Tide ${index}`,
      publishedAt: toTime(index),
    })),
  );

  for (const sort of ["new", "updated"]) {
    const first = await load(app, `/home?q=tide&sort=${sort}`);
    const second = await load(app, first.next ?? "");
    expect([...first.titles, ...second.titles]).toEqual(
      Array.from({ length: 30 }, (_, index) => `Tide ${index}`),
    );
  }
});

test("shows the first stories after a cursor that is later than any story", async () => {
  await using app = await startApp();
  await publishAll(app, [{ title: "Tide A" }]);

  for (const value of ["9999999999999999", "8640000000000001", "253402300800000"]) {
    for (const sort of ["new", "updated", "long"]) {
      const { titles } = await load(app, `/home?q=tide&sort=${sort}&after=${value}-x`);
      expect([value, sort, titles]).toEqual([value, sort, ["Tide A"]]);
    }
  }
  expect((await load(app, "/home?q=tide&sort=short&after=9999999999999999-x")).titles).toEqual([]);
});

test("ignores an id that cannot be that of a story or a writer", async () => {
  await using app = await startApp();
  await publishAll(app, [{ title: "Tide A" }]);

  for (const id of [".", "..", "__x__"]) {
    expect((await load(app, `/home?q=tide&sort=new&after=5-${id}`)).titles).toEqual(["Tide A"]);
    expect(await load(app, `/home?q=tide&writer=${id}`)).toMatchObject({ writer: null });
  }
});

test("shows all of many built-in matches on its pages", async () => {
  await using app = await startApp();
  const books = Array.from({ length: 50 }, (_, index) => ({
    id: `book-${index}`,
    title: `Tide ${index}`,
    coverPhoto: "/a.svg",
  }));
  const withBooks = app.withBindings({ ASSETS: { fetch: async () => Response.json(books) } });
  await publishAll(app, [{ title: "Tide A" }]);

  const { titles, next } = await load(withBooks, "/home?q=tide");

  expect(titles).toHaveLength(48);
  expect((await load(withBooks, next ?? "")).titles).toEqual(["Tide 48", "Tide 49", "Tide A"]);
});

test("sorts by publication, change and length", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "Tide A", words: 30, updatedAt: "2026-05-01T00:00:00Z" },
    { title: "Tide B", words: 20 },
    { title: "Tide C", words: 40 },
  ]);
  const sorted = async (sort: string) => (await load(app, `/home?q=tide&sort=${sort}`)).titles;

  expect(await sorted("new")).toEqual(["Tide C", "Tide B", "Tide A"]);
  expect(await sorted("updated")).toEqual(["Tide A", "Tide C", "Tide B"]);
  expect(await sorted("short")).toEqual(["Tide B", "Tide A", "Tide C"]);
  expect(await sorted("long")).toEqual(["Tide C", "Tide A", "Tide B"]);
});

test("sorts built-in stories by length", async () => {
  await using app = await startApp();
  const words = new Map(builtInStories.map((story) => [story.title, story.words]));
  const readWords = async (path: string) =>
    (await load(app, path)).titles.map((title) => words.get(title) ?? 0);

  for (const filter of ["writer=inkglade", "type=book"]) {
    const short = await readWords(`/home?${filter}&sort=short`);
    expect(short).toHaveLength(12);
    expect(short).toEqual(short.toSorted((a, b) => a - b));
    expect(await readWords(`/home?${filter}&sort=long`)).toEqual(short.toReversed());
  }
});

test.each(["short", "long"])(
  "puts quests, which have no length, last in the order %s",
  async (sort) => {
    await using app = await startApp();
    await publishAll(app, [{ title: "Tide A", words: 30 }]);
    const quests = sampleItems.filter(({ type }) => type === "quest").map(({ title }) => title);

    const { titles } = await load(app, `/home?sort=${sort}`);

    expect(titles).toContain("Tide A");
    expect(titles.slice(-quests.length).toSorted()).toEqual(quests.toSorted());
  },
);

test("puts the built-in stories whose title matches first, unless the results are sorted", async () => {
  await using app = await startApp();
  const titles = ["The Winter Interpreter", "The Last Warm Engine"];

  for (const filter of ["writer=inkglade", "type=book"]) {
    expect((await load(app, `/home?q=winter&${filter}`)).titles).toEqual(titles);
    expect((await load(app, `/home?q=winter&${filter}&sort=new`)).titles).toEqual(
      titles.toReversed(),
    );
  }
});

test("lists built-in and published stories with a tag, and leaves tags out", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "Tide A", tags: ["Sea", "night"] },
    { title: "Tide B", tags: ["sea"] },
    { title: "Tide C", tags: ["night"] },
  ]);

  const { titles, tags } = await load(app, "/home?tag=sea&type=story");
  expect(titles).toEqual(["Tide B", "Tide A"]);
  expect(tags).toEqual(["night"]);
  expect((await load(app, "/home?tag=sea&tag=-night&type=story")).titles).toEqual(["Tide B"]);
  expect((await load(app, "/home?tag=-sea&q=tide")).titles).toEqual(["Tide C"]);
  expect((await load(app, "/home?tag=trains")).titles).toContain("The Last Warm Engine");
});

test("finds the stories with a tag of signs, and none with another such tag", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "Tide A", tags: ["\u{1F525}"] },
    { title: "Tide B", tags: ["\u2764\uFE0F"] },
    { title: "Tide C", tags: ["'"] },
    ...OTHERS,
  ]);

  for (const [tag, title] of [
    ["\u{1F525}", "Tide A"],
    // Some keyboards leave out what makes the heart red.
    ["\u2764\uFE0F", "Tide B"],
    ["\u2764", "Tide B"],
    ["'", "Tide C"],
  ] as const) {
    expect((await load(app, toTagPath(tag))).titles).toEqual([title]);
  }
  const { titles } = await load(app, "/home?q=tide&tag=-\u{1F525}");
  expect(titles.toSorted()).toEqual(["Tide B", "Tide C"]);
});

test.each(["-18", "--18", "-\u{1F525}"])(
  "the links of the tag %s lead to the stories with it",
  async (tag) => {
    await using app = await startApp();
    await publishAll(app, [{ title: "Tide A", tags: [tag, "sea"] }, { title: "Tide B" }]);

    expect((await load(app, toTagPath(tag))).titles).toEqual(["Tide A"]);
    const { tags } = await load(app, "/home?tag=sea&type=story");
    expect(tags).toHaveLength(1);
    expect((await load(app, `/home?tag=${tags[0]}`)).titles).toEqual(["Tide A"]);
    expect((await load(app, `/home?q=tide&tag=-${tags[0]}`)).titles).toEqual(["Tide B"]);
  },
);

test("a tag that is left out leaves a full page, although most of the newest stories have it", async () => {
  await using app = await startApp();
  const others = Array.from({ length: 24 }, () => ({ title: "Other", tags: ["night"] }));
  const nights = Array.from({ length: 30 }, () => ({ title: "Night", tags: ["night", "sea"] }));
  await publishAll(app, [...others, ...nights]);

  const { titles } = await load(app, "/home?tag=night&tag=-sea&type=story");

  expect(titles).toEqual(others.map(({ title }) => title));
});

test("lists a writer's stories, and the built-in ones", async () => {
  await using app = await startApp();
  await publishAll(app, [
    { title: "Tide A", uid: "ana", author: "Ana Reyes" },
    { title: "Tide B", uid: "tomas", author: "Tomas" },
  ]);

  const ana = await load(app, "/home?writer=ana");
  expect(ana).toMatchObject({ titles: ["Tide A"], writer: { name: "Ana Reyes" } });
  const builtIn = await load(app, "/home?writer=inkglade");
  expect(builtIn.titles).toHaveLength(12);
  expect(builtIn.writer).toMatchObject({ name: "Inkglade Editors" });
  expect(await load(app, "/home?writer=nobody")).toMatchObject({
    titles: [],
    writer: { name: null },
  });
});

test("links to another page of a writer's stories only if there are more", async () => {
  await using app = await startApp({ PAGE_CACHE: "off" });
  const stories = Array.from({ length: 24 }, () => ({}));
  await publishAll(app, stories);
  expect(await load(app, "/home?writer=ana")).toMatchObject({ titles: { length: 24 }, next: null });

  await publishAll(app, [...stories, { title: "The Last" }]);

  const { titles, next } = await load(app, "/home?writer=ana");
  expect(titles).toHaveLength(24);
  expect(await load(app, next ?? "")).toMatchObject({ titles: ["Story 0"], next: null });
});

test("lists a story without the time of a new chapter, and those after one that is invalid", async () => {
  await using app = await startApp();
  const invalid = Array.from({ length: 25 }, (_, index) => ({ id: `invalid-${index}` }));
  await publishAll(app, [{ title: "Tide A" }, { title: "Tide B", id: "tide-b" }, ...invalid]);
  for (const { id } of invalid) await clearFields(app.firebase.hosts, id, ["author"]);
  await clearFields(app.firebase.hosts, "tide-b", ["newChapterAt"]);

  const { titles, next } = await load(app, "/home?writer=ana");

  expect(titles).toEqual([]);
  expect(await load(app, next ?? "")).toMatchObject({ titles: ["Tide B", "Tide A"], next: null });
});

test("names a writer on a page without results", async () => {
  await using app = await startApp();
  await publishAll(app, [{ author: "Ana Reyes" }]);

  for (const path of ["/home?writer=ana&after=5-x", "/home?writer=ana&q=storm"]) {
    expect(await load(app, path)).toMatchObject({ titles: [], writer: { name: "Ana Reyes" } });
  }
});

test("finds a story by its new title once it is published again", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName: "Ana Reyes" }));
  const draft = { intent: "publish", id: createDocumentId(), text: "The tide came in." };
  const first = { ...draft, revision: "0", title: "Salt and Sand" };
  await app.send(createAction, "/create", { form: first, cookie });
  const second = { ...draft, revision: "1", title: "Foam and Stone" };
  await app.send(createAction, "/create", { form: second, cookie });

  expect((await load(app, "/home?q=foa")).titles).toEqual(["Foam and Stone"]);
  expect((await load(app, "/home?q=salt+sand")).titles).toEqual([]);
});

test("shows a visitor neither a deleted story nor an old title", async () => {
  await using app = await startApp({ PAGE_CACHE: "off" });
  await publishAll(app, [
    { title: "Tide A", id: "tide-a" },
    { title: "Tide B", id: "tide-b" },
    { title: "Tide C", id: "tide-c" },
  ]);
  expect((await load(app, "/home?q=tide")).titles).toEqual(["Tide C", "Tide B", "Tide A"]);

  await deleteStory(app.firebase.hosts, "tide-a");
  await publishAll(app, [
    { title: "Tide D", id: "tide-b" },
    { title: "Foam", id: "tide-c" },
  ]);

  expect((await load(app, "/home?q=tide")).titles).toEqual(["Tide D"]);
});

test("shows a user a story as it is now, if the index finds it", async () => {
  await using app = await startApp({ PAGE_CACHE: "off" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  await publishAll(app, [{ title: "Tide A", tags: ["sea"] }]);
  expect((await load(app, "/home?q=tide&tag=sea", cookie)).titles).toEqual(["Tide A"]);

  await publishAll(app, [{ title: "Tide B", tags: ["night"] }]);

  expect((await load(app, "/home?q=tide", cookie)).titles).toEqual(["Tide B"]);
  expect((await load(app, "/home?q=tide&tag=sea", cookie)).titles).toEqual([]);
});

test.each([
  "/home?q=tide",
  "/home?q=tide+a&tag=sea&sort=long",
  "/home?writer=ana",
  "/home?tag=sea",
])(
  "makes at most three requests for %s, signed in, once the newest stories have been read",
  async (path) => {
    await using app = await startApp();
    using counter = startRequestCounter();
    await publishAll(app, [{ title: "Tide A", tags: ["sea"] }]);
    const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = app.firebase.hosts;
    const counted = app.withVariables({
      FIREBASE_AUTH_EMULATOR_HOST: await counter.proxy(FIREBASE_AUTH_EMULATOR_HOST),
      FIRESTORE_EMULATOR_HOST: await counter.proxy(FIRESTORE_EMULATOR_HOST),
    });
    const cookie = await signIn(counted, await app.firebase.addAccount());
    await load(counted, "/home?q=tide");
    const before = counter.count();

    expect((await load(counted, path, cookie)).titles).toContain("Tide A");
    expect(counter.count() - before).toBeLessThanOrEqual(3);
  },
);

test("bounds the index of a story, and keeps all of its title and tags", () => {
  const word = (index: number) => `w${index.toString(36)}abcdefgh`;
  const description = Array.from({ length: 120 }, (_, index) => word(index)).join(" ");
  const tags = Array.from({ length: 10 }, (_, index) => `Tag ${index}`);
  const terms = createTerms({ title: "A Cartographer", author: "Ana", tags, description });

  expect(terms).toHaveLength(MAX_TERMS);
  expect(terms).toEqual(expect.arrayContaining(["#tag 9", "cartographer", "carto", "a", "ana"]));
});

test.each(["\uFDFA", "\u3316"])(
  "a text of %s, a ligature of many letters, is not made many times as long",
  (ligature) => {
    const text = ligature.repeat(1250);

    expect(normalizeText(text).length).toBeLessThanOrEqual(4 * text.length);
    expect(matchesText(text, splitQuery(text))).toBe(true);
  },
);

test("a ligature, an accented letter and a Korean syllable are made of their parts", () => {
  expect(normalizeText("\uAC01")).toBe("\u1100\u1161\u11A8");
  expect(normalizeText("\u1EBE")).toBe("e");
  expect(matchesText("\uFDFB and others", splitQuery("\u062C\u0644"))).toBe(true);
  expect(matchesText("The Prophet \uFDFA in the stories of a city", splitQuery("\uFDFA"))).toBe(
    true,
  );
});
