import { expect, test } from "vitest";

import { isTooComplex } from "#app/stories/markdown-limits.ts";

/** More levels than the limit. */
const TOO_DEEP = 101;

test.each([
  ["a quote in quotes", (depth: number) => `${">".repeat(depth)} deep`],
  ["a quote in quotes, with spaces", (depth: number) => `${"> ".repeat(depth)}deep`],
  ["quotes and items in turn", (depth: number) => `${"> - ".repeat(depth / 2)}deep`],
  ["an item in items on one line", (depth: number) => `${"- ".repeat(depth)}deep`],
  ["a numbered item in items", (depth: number) => `${"1. ".repeat(depth)}deep`],
])("allows a hundred levels of %s, but not more", (_what, write) => {
  expect(isTooComplex(write(100))).toBe(false);
  expect(isTooComplex(write(102))).toBe(true);
});

test("counts continued quotes once and adds up nested items", () => {
  const continued = `${"> ".repeat(60)}a\n`.repeat(20);
  const listIn = (depth: number) =>
    Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- salt`).join("\n");

  expect(isTooComplex(continued)).toBe(false);
  expect(isTooComplex(listIn(100))).toBe(false);
  expect(isTooComplex(listIn(TOO_DEEP))).toBe(true);
});

test("counts quotes without text between them", () => {
  expect(isTooComplex(`${">".repeat(TOO_DEEP)}\n`)).toBe(true);
  expect(isTooComplex(`a\n\n${"> ".repeat(TOO_DEEP)}`)).toBe(true);
});

test.each([
  ["without a marker", "> a\nb\n\n"],
  ["with spaces instead of the marker", "> a\n  b\n\n"],
  ["with fewer markers and more spaces", ">> a\n>   b\n\n"],
])("rejects a very large number of quotes that continue %s", (_how, quote) => {
  expect(isTooComplex(quote.repeat(100))).toBe(false);
  expect(isTooComplex(quote.repeat(2000))).toBe(true);
});

test("allows more quotes with all their markers", () => {
  expect(isTooComplex("> a\n> b\n\n".repeat(1500))).toBe(false);
});
