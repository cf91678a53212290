import * as fc from "fast-check";
import { expect, test } from "vitest";

import { countWords, createWordCounter } from "#app/stories/words.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";

const JAPANESE =
  "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。";

/** The simplest implementation, too slow for long texts. */
function segment(text: string): number {
  const words = new Intl.Segmenter("en", { granularity: "word" }).segment(text);
  return [...words].filter(({ isWordLike }) => isWordLike).length;
}

test("counts several thousand words in 8,000 Japanese characters", () => {
  const text = JAPANESE.repeat(130).slice(0, 8000);

  expect(countWords(text)).toBeGreaterThan(3000);
  expect(countWords(text)).toBeLessThan(6000);
});

test.each([
  ["English", "The lamplighter's orchard stood well — don't you know?", 8],
  ["numbers", "3.5 miles and 1,000 trees", 5],
  ["Thai", "ฉันชอบอ่านหนังสือ", 4],
  ["Greek", "Μῆνιν ἄειδε, θεά", 3],
  ["punctuation only", "— … * * * 🌿", 0],
  ["nothing", "", 0],
  ["emphasis", "Some *loud* and **very loud** _words_", 6],
  ["a link's words, not its address", '[over there](https://example.com/a/b "A title") now', 3],
  ["a picture", "![A leaf](https://example.com/leaf.png) here", 1],
  ["HTML that the writer typed as text", String.raw`She typed \<b> and stopped`, 5],
  ["HTML that is not shown", '<p align="center">Chapter <b>One</b></p>red<br>violets', 4],
  ["HTML that is shown", "<Anna> Hello <!-- there", 3],
])("counts the words of %s", (_, text, words) => {
  expect(countWords(text)).toBe(words);
});

test("counts the same words as Intl.Segmenter in random texts", () => {
  const pieces = [
    "don't",
    "“Oh,",
    "well-known",
    "e.g.",
    "3.5",
    "a_b",
    "naïve",
    "猫は",
    "—",
    "\n",
    "O’B",
    "x1",
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "grapheme", maxLength: 6 })))
    .map((words) => words.join(" "))
    // URLs are not words, and any white space separates words.
    .filter((words) => !words.includes("]("));

  fc.assert(
    fc.property(text, (words) => {
      expect(countWords(words)).toBe(
        words.split(/\s+/).reduce((sum, word) => sum + segment(word), 0),
      );
    }),
  );
});

test.each([
  ["in English", "The orchard stood well-known, 3.5 miles off. "],
  ["in Japanese without spaces", JAPANESE],
  ["without punctuation or spaces", "猫"],
])("counts every word of the longest story %s", (_, piece) => {
  const text = piece.repeat(Math.ceil(MAX_STORY_LENGTH / piece.length)).slice(0, MAX_STORY_LENGTH);
  const expected = segment(piece) * (text.length / piece.length);

  const words = countWords(text);

  expect(words).toBeGreaterThan(expected * 0.98);
  expect(words).toBeLessThan(expected * 1.02);
});

test("counts the same words while a text is being edited", () => {
  const count = createWordCounter();
  const lines = [JAPANESE, "", "The *orchard* stood.", "[there](https://example.com)"];

  for (let end = 1; end <= lines.length; end += 1) {
    const text = lines.slice(0, end).join("\n");
    expect(count(text)).toBe(countWords(text));
  }
  expect(count("Only this.")).toBe(2);
});
