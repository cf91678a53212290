import { expect, test } from "vitest";

import { createCache } from "#app/http/cache.server.ts";

test("returns each value until it expires, and deletes the oldest values first", () => {
  const clock = { now: 0 };
  const answers = createCache<string>(1000, () => clock.now);
  answers.set("a", "one");
  answers.set("b", "two");

  clock.now = 999;
  expect([answers.find("a"), answers.find("b"), answers.find("c")]).toEqual([
    "one",
    "two",
    undefined,
  ]);
  answers.delete("b");
  expect(answers.find("b")).toBeUndefined();

  clock.now = 1000;
  expect(answers.find("a")).toBeUndefined();

  for (let index = 0; index <= 1000; index += 1) answers.set(`many ${index}`, "x");
  expect([answers.find("many 0"), answers.find("many 1")]).toEqual([undefined, "x"]);
});
