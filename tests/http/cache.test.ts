import { expect, test } from "vitest";

import { createCache } from "#app/http/cache.server.ts";

test("returns each value until it expires, and deletes the oldest values first", () => {
  const clock = { now: 0 };
  const cache = createCache<string>(1000, () => clock.now);
  cache.set("a", "one");
  cache.set("b", "two");

  clock.now = 999;
  expect([cache.find("a"), cache.find("b"), cache.find("c")]).toEqual(["one", "two", undefined]);
  cache.delete("b");
  expect(cache.find("b")).toBeUndefined();

  clock.now = 1000;
  expect(cache.find("a")).toBeUndefined();

  for (let index = 0; index <= 1000; index += 1) cache.set(`many ${index}`, "x");
  expect([cache.find("many 0"), cache.find("many 1")]).toEqual([undefined, "x"]);
});
