import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { deviceHidden, deviceSaved } from "#app/stories/library/library.server.ts";
import { serializePositions } from "#app/stories/positions/position-cookie.ts";
import { startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, ORIGIN, startCachedApp, STORY, STORY_PATH } from "#tests/support/visitors.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Returns the `Cookie` header of a browser that has saved a story. */
function save(id: string): string {
  const details = { title: "Any", author: "Ana", writer: "ana", cover: "", minutes: 1 };
  return deviceSaved.add(new Request(ORIGIN), { id, ...details })?.split(";")[0] ?? "";
}

/** Returns the `Cookie` header of a browser that has hidden a story. */
function hide(id: string): string {
  const item = { kind: "story", id, name: "Any" } as const;
  return deviceHidden.add(new Request(ORIGIN), item).split(";")[0] ?? "";
}

/** Returns the `Cookie` header of a browser on which a visitor or the given user has begun a story. */
function begin(story: string, owner?: string): string {
  const place = { paragraph: "p-1", start: "The sea", offset: 0, number: 0 };
  const progress = { percent: 40, minutesLeft: 1, time: 1 };
  const position = { story, title: "Any", ...place, ...progress, owner };
  return `__Host-places=${encodeURIComponent(serializePositions([position]))}`;
}

const OTHER = "what-the-heron-keeps";

test.each([
  ["/login", "stories", `${save(STORY.id)}; ${begin(STORY.id)}; ${hide(STORY.id)}`],
  ["/register", "stories", `${save(STORY.id)}; ${begin(STORY.id)}`],
  [STORY_PATH, "another story saved", save(OTHER)],
  [STORY_PATH, "this story begun by a user", begin(STORY.id, "ana")],
  [STORY_PATH, "empty lists", "__Host-saved=%5B%5D; __Host-places=%5B%5D; __Host-unwanted=%5B%5D"],
])("%s comes from the cache for a browser with %s", async (path, _lists, cookie) => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app);
  const normalize = (html: string) =>
    html.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "");
  await edge.visit(path);
  await edge.finish();

  const response = await edge.visit(path, { cookie });

  expect(isCached(response)).toBe(true);
  const own = await (await edge.visitUncached(path, { cookie })).text();
  expect(normalize(await response.text())).toBe(normalize(own));
});

test.each([
  ["/home", "a story saved", save(OTHER)],
  ["/home", "a story hidden", hide(OTHER)],
  ["/home", "a story begun", begin(OTHER)],
  [STORY_PATH, "this story saved", save(STORY.id)],
  [STORY_PATH, "this story begun", begin(STORY.id)],
  // The end of the story leads to others.
  [STORY_PATH, "another story hidden", hide(OTHER)],
  // The room shows passages of stories up to where the visitor has read.
  [STORY_PATH, "another story begun", begin(OTHER)],
])("%s is rendered for a browser with %s", async (path, _lists, cookie) => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app);
  await edge.visit(path);
  await edge.finish();

  expect(isCached(await edge.visit(path, { cookie }))).toBe(false);
});

test.each([
  ["saved", save("\uD800")],
  ["hidden", hide("\uD800")],
  ["begun", begin("\uD800")],
])("shows /home to a browser with a story %s that no address can have", async (_list, cookie) => {
  await using app = await startApp();
  const edge = await startCachedApp(app);

  expect((await edge.visit("/home", { cookie })).status).toBe(200);
});

test.each(["__cflb=1", "_fbp=fb.1.2.3", "_gcl_au=1.1.2.3", "_ga_ABC=1", "__cf_bm=1"])(
  "the cookie %s of another service does not turn the cache off",
  async (cookie) => {
    await using app = await startApp();
    const edge = await startCachedApp(app);
    await edge.visit("/home");
    await edge.finish();

    expect(isCached(await edge.visit("/home", { cookie }))).toBe(true);
  },
);
