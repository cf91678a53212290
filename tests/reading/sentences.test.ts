import { afterEach, expect, test, vi } from "vitest";

import {
  createSentenceSplitter,
  findUtteranceEnd,
  getMaxCost,
} from "#app/reading/listening/spoken-text.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function split(text: string, language = "en"): string[] {
  return createSentenceSplitter(language)(text).map(({ start, end }) => text.slice(start, end));
}

/** Divides a text into utterances at normal speed. */
function divide(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = findUtteranceEnd(text, { start, end: text.length }, getMaxCost(1));
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

test("a name's title or initial and what follows a quotation do not begin a sentence", () => {
  expect(split("Mr. J. R. Smith left. “Stop!” she said. “No.” He ran.")).toEqual([
    "Mr. J. R. Smith left. ",
    "“Stop!” she said. ",
    "“No.” ",
    "He ran.",
  ]);
});

test("lines of a poem are sentences, and punctuation alone belongs to the sentence before", () => {
  expect(split("The sea\nis wide. . .\nAnd deep")).toEqual([
    "The sea\n",
    "is wide. . .\n",
    "And deep",
  ]);
});

test("divides Japanese text, and text in a language that does not exist", () => {
  expect(split("雨だった。彼は「はい」と言った。", "ja")).toEqual([
    "雨だった。",
    "彼は「はい」と言った。",
  ]);
  expect(split("One. Two.", "no_such!")).toEqual(["One. ", "Two."]);
});

test("divides text in browsers without Intl.Segmenter", () => {
  vi.stubGlobal("Intl", {});
  expect(split("It cost $3.50. “Stop!” she said.  Who?\nMe")).toEqual([
    "It cost $3.50. ",
    "“Stop!” she said.  ",
    "Who?\n",
    "Me",
  ]);
  expect(split("雨だった。彼は「はい。」と")).toEqual(["雨だった。", "彼は「はい。」", "と"]);
});

test("divides a long sentence after clauses, otherwise between words", () => {
  const clause = "The keeper of the lamps went down to the orchard in the rain, ";
  expect(divide(clause.repeat(5))).toEqual([clause.repeat(2), clause, clause.repeat(2)]);
  for (const part of divide("and then ".repeat(100))) expect(part).toMatch(/^(?:and|then) .* $/);
});

test("a text without spaces is divided between characters, not within one", () => {
  const parts = divide(`a${"e\u0301".repeat(300)}`);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) expect(part).toMatch(/^a?(?:e\u0301)+$/);
  for (const part of divide("𝒳".repeat(300))) expect(part).toMatch(/^(?:𝒳)+$/u);
});
