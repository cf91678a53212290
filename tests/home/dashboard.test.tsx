import { expect, test } from "vitest";

import { Dashboard, type DashboardProps } from "#app/home/dashboard.tsx";
import type { SearchPage } from "#app/stories/search.ts";
import type { StoryEntry } from "#app/stories/story.ts";
import { getAttribute, renderPage } from "#tests/ui/render.tsx";

const everything: SearchPage = {
  query: "",
  type: undefined,
  tags: [],
  withoutTags: [],
  writer: "",
  language: undefined,
  languages: [],
  sort: undefined,
  after: null,
  results: [],
  next: null,
  hiddenCount: 0,
  offeredTags: [],
  suggestions: [],
  isPartial: false,
};
const book = { id: "a/b?c", title: "A Book", cover: "/a.svg" };

function render(books: (typeof book)[], changes: Partial<DashboardProps> = {}) {
  const props = {
    books,
    firstStory: null,
    inProgress: [],
    isInProgressPartial: false,
    details: {},
    saved: [],
    following: [],
    hidden: [],
    hiddenBooks: [],
    isTagHidden: false,
    page: everything,
    isSearch: false,
    writer: null,
    newStories: [],
    published: null,
    readers: {},
    lines: {},
    questNotice: null,
    ...changes,
  };
  return renderPage("/home", <Dashboard {...props} />);
}

test("offers to try again in both sections without books", () => {
  const html = render([]);

  expect(html.match(/No stories here yet/g)).toHaveLength(2);
  expect(html).toMatch(/<a[^>]*href="\/home"[^>]*>Try again<\/a>/);
  expect(html).toMatch(/<a[^>]*href="\/home#books-and-quests"[^>]*>Start reading<\/a>/);
});

test("starts with the first book that opens a story", () => {
  const html = render([book], { firstStory: "the-salt-road" });

  expect(html).toMatch(/<a[^>]*href="\/read\/the-salt-road"[^>]*>Start reading<\/a>/);
});

const quest: StoryEntry = {
  id: "the-glass-apiary",
  title: "The Glass Apiary",
  description: "",
  type: "quest",
  cover: "/a.svg",
  readLink: "/quest/the-glass-apiary",
  author: null,
  writer: null,
  tags: [],
  minutes: null,
  isOngoing: false,
};

test("says on a quest's card that it is not open yet", () => {
  const open = { ...quest, type: "book", readLink: "/read/the-glass-apiary" } as const;
  const closed = render([book], { page: { ...everything, results: [quest] } });

  expect(closed).toContain("Not open yet");
  expect(render([book], { page: { ...everything, results: [open] } })).not.toContain("Not open");
});

const ana = {
  uid: "ana",
  name: "Ana Reyes",
  about: "",
  photoURL: null,
  isFollowed: false,
  isHidden: false,
};
const next = { value: 5, id: "b" };

function renderWriter(changes: Partial<SearchPage>) {
  const page = { ...everything, writer: "ana", ...changes };
  return render([book], { page, isSearch: true, writer: ana });
}

test("counts a writer's stories in the head of their first page only", () => {
  const results = [quest];

  expect(renderWriter({ results })).toContain("1 story, 0 min in total");
  expect(renderWriter({ results, next })).toContain("More than 1 story");
  expect(renderWriter({ results, next, after: next })).not.toContain("More than");
  expect(renderWriter({})).not.toContain("0 stories");
  expect(renderWriter({ next })).not.toContain("More than");
});

test("says that a search has found nothing yet, or nothing more", () => {
  const search = (changes: Partial<SearchPage>) =>
    render([book], { page: { ...everything, query: "rain", ...changes }, isSearch: true });

  expect(search({ next })).toContain("No results yet for “rain”");
  expect(search({ next, after: next })).toContain("No more results yet for “rain”");
  expect(search({ after: next })).toContain("No more results for “rain”");
  expect(search({})).toContain("No results for “rain”");
});

test("loads only the first covers eagerly, and sets the size of all", () => {
  const html = render(Array.from({ length: 12 }, (_, index) => ({ ...book, id: `${index}` })));
  const images = html.match(/<img[^>]*>/g) ?? [];

  expect(images.filter((image) => image.includes('fetchpriority="low"'))).toHaveLength(3);
  expect(images.filter((image) => image.includes('loading="lazy"'))).toHaveLength(
    images.length - 3,
  );
  for (const image of images) expect(image).toMatch(/alt="" width="600" height="900"/);
});

test("draws the same cover each time for a book without an image, hidden from screen readers", () => {
  const html = render([{ ...book, cover: "" }]);

  expect(html).not.toContain("<img");
  expect(html).toBe(render([{ ...book, cover: "" }]));
  expect(getAttribute(html, /--turn/, "aria-hidden")).toBe("true");
  expect(getAttribute(html, /^<use/, "href")).toMatch(/^\/assets\/covers\/motifs\.svg#m[0-5]$/);
  expect(html).toContain('href="/read/a%2Fb%3Fc"');
});

const NO_RESULTS = "No results for “zzz”";
const NO_STORY = "No story by that name";
const NOT_SEARCHED = "search our writers&#x27; stories right now";

test.each([
  ["that finds nothing", { query: "zzz" }, [NO_RESULTS, NO_STORY], [NOT_SEARCHED]],
  [
    "that could not include published stories",
    { query: "zzz", isPartial: true },
    [NOT_SEARCHED],
    [NO_STORY],
  ],
  [
    "among quests, which need no database",
    { query: "zzz", type: "quest", isPartial: true } as const,
    [NO_STORY],
    [NOT_SEARCHED],
  ],
  ["without a query", { isPartial: true }, [], [NOT_SEARCHED]],
])("explains a search %s", (_, search, shown, hidden) => {
  const html = render([book], { page: { ...everything, ...search } });

  for (const words of shown) expect(html).toContain(words);
  for (const words of hidden) expect(html).not.toContain(words);
});

test("distinguishes a writer who could not be loaded from one who does not exist", () => {
  const writer = {
    uid: "ana",
    name: null,
    about: "",
    photoURL: null,
    isFollowed: false,
    isHidden: false,
  };
  const page = { ...everything, writer: "ana" };

  expect(render([], { writer, page })).toContain("We can&#x27;t find this writer.");
  const html = render([], { writer, page: { ...page, isPartial: true } });
  expect(html).toContain("We can&#x27;t load this writer right now.");
  expect(html).toContain("We can&#x27;t load all of this writer&#x27;s stories right now.");
  expect(html).not.toMatch(/search our writers|match your search|No results/);
});

test("reports what could not be loaded from the database", () => {
  const following = [{ uid: "ana", name: "Ana" }];
  const html = render([book], { newStories: null, following, isInProgressPartial: true });

  expect(html).toContain("We can&#x27;t load new stories right now.");
  expect(html).toContain("We can&#x27;t load your reading positions right now.");
  expect(render([book])).not.toContain("right now");
});

test("shows what was last said about each live story, and that nothing was", () => {
  const other = { ...book, id: "b", title: "Another" };
  const line = { name: "Ana", photoURL: null, words: "Why salt?", when: "4 min ago", chapter: 2 };

  const html = render([book, other], { lines: { b: line } });
  const [, live = ""] = html.split("Explore Trending Live Stories");

  expect(live).toMatch(
    /Nobody has said anything about this part yet\..*A Book<\/h3>.*Ana<.*4 min ago.*chapter 2<.*Why salt\?.*Another<\/h3>/s,
  );
  const unknown = render([book], { lines: { [book.id]: null } });
  expect(unknown).not.toContain("Nobody has said");
});

test("says how many people have each live story open, and begins with the most", () => {
  const books = ["a", "b", "c"].map((id) => ({ id, title: `Book ${id}`, cover: "/a.svg" }));

  const html = render(books, { readers: { b: 1, c: 9 } });
  const [trending = "", live = ""] = html.split("Explore Trending Live Stories");

  const order = (text: string) => text.match(/Book [abc](?=<\/h3>)/g);
  expect(order(trending)).toEqual(["Book a", "Book b", "Book c"]);
  expect(trending).not.toMatch(/reading now/);
  expect(order(live)).toEqual(["Book c", "Book b", "Book a"]);
  expect(live.match(/\d reading now|Quiet just now/g)).toEqual([
    "9 reading now",
    "1 reading now",
    "Quiet just now",
  ]);
});
