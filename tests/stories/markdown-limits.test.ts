import { expect, test } from "vitest";

import { isTooIntricate } from "#app/stories/markdown-limits.server.ts";

/** More levels than are taken, though each line is cheap. */
const TOO_DEEP = 101;

test.each([
  ["a quote in quotes", (depth: number) => `${">".repeat(depth)} deep`],
  ["a quote in quotes, with blanks", (depth: number) => `${"> ".repeat(depth)}deep`],
  ["quotes and items in turn", (depth: number) => `${"> - ".repeat(depth / 2)}deep`],
  ["an item in items on one line", (depth: number) => `${"- ".repeat(depth)}deep`],
  ["a numbered item in items", (depth: number) => `${"1. ".repeat(depth)}deep`],
])("%s may be a hundred deep, and no more", (_what, write) => {
  expect(isTooIntricate(write(100))).toBe(false);
  expect(isTooIntricate(write(102))).toBe(true);
});

test("quotes that go on from line to line count once, items further and further in add up", () => {
  const goesOn = `${"> ".repeat(60)}a\n`.repeat(20);
  const listIn = (depth: number) =>
    Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- salt`).join("\n");

  expect(isTooIntricate(goesOn)).toBe(false);
  expect(isTooIntricate(listIn(100))).toBe(false);
  expect(isTooIntricate(listIn(TOO_DEEP))).toBe(true);
});

test("quotes without end between which there is no text are too deep as well", () => {
  expect(isTooIntricate(`${">".repeat(TOO_DEEP)}\n`)).toBe(true);
  expect(isTooIntricate(`a\n\n${"> ".repeat(TOO_DEEP)}`)).toBe(true);
});

test.each([
  ["without any lead", "> a\nb\n\n"],
  ["with blanks in the sign's place", "> a\n  b\n\n"],
  ["with fewer signs, and more blanks", ">> a\n>   b\n\n"],
])(
  "quotes that go on %s make the parser look back, and are too many without end",
  (_how, quote) => {
    expect(isTooIntricate(quote.repeat(100))).toBe(false);
    expect(isTooIntricate(quote.repeat(2000))).toBe(true);
  },
);

test("quotes that keep their signs may be as many as there is room for", () => {
  expect(isTooIntricate("> a\n> b\n\n".repeat(2000))).toBe(false);
});
