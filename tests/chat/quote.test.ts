import { expect, test } from "vitest";

import { addLines, formatQuote, listPassages, readQuote } from "#app/chat/quotes/quote.ts";

const path = "/read/salt-for-the-clockmaker#p-1x2y3z-2";

test("reads the quotes that it formats", () => {
  const text = formatQuote({ words: " The tide had\n been  coming in. ", path });

  expect(text).toBe(`“The tide had been coming in.”\n${path}\n`);
  // The server trims messages.
  expect(readQuote(text.trim())).toEqual({
    words: "The tide had been coming in.",
    path,
    comment: "",
  });
  expect(readQuote(`${text}Which tide?\nMine.`)?.comment).toBe("Which tide?\nMine.");
});

test("truncates a long quote, but never inside a character", () => {
  const words = readQuote(formatQuote({ words: "🌿".repeat(400), path }))?.words ?? "";

  expect(words).toBe(`${"🌿".repeat(300)}…`);
  expect(readQuote(formatQuote({ words: `x${"🌿".repeat(400)}`, path }))?.words).toMatch(/🌿…$/u);
});

test("keeps quotation marks inside a quote", () => {
  expect(readQuote(formatQuote({ words: "“Places,” said Ignatz", path }))?.words).toBe(
    "“Places,” said Ignatz",
  );
});

test("reads only the first of two quotes, although the second ends like a quote too", () => {
  const second = "“Rain.”\n/read/a#p-1\nAgain.";
  expect(readQuote(`“So,” she said.”\n${path}\nWhy?\n${second}`)).toEqual({
    words: "So,” she said.",
    path,
    comment: `Why?\n${second}`,
  });
});

test.each([
  "The tide had been coming in.",
  `The tide\n${path}`,
  `“The tide” ${path}`,
  "“x”\nhttps://evil.example/read/a#p-1",
  "“x”\n//evil.example/read/a#p-1",
  "“x”\n/read/../login#p-1",
  "“x”\n/login#p-1",
  "“x”\n/read/a#newest",
  '“x”\n/read/a#p-1"><script>',
  "”\n/read/a#p-1",
  "“My” words\n“x”\n/read/a#p-1",
])("does not read %j as a quote", (text) => {
  expect(readQuote(text)).toBeNull();
});

test.each([
  ["", "Hello", "Hello"],
  ["So true", "Hello", "So true\nHello"],
  ["So true", `“The tide.”\n${path}\n`, `“The tide.”\n${path}\nSo true`],
  [
    "So true",
    `“The tide.”\n${path}\n> Ana: Why?\n`,
    `“The tide.”\n${path}\nSo true\n> Ana: Why?\n`,
  ],
  [
    `“The tide.”\n${path}\nSo true`,
    `“The tide.”\n${path}\n> Ana: Why?\n`,
    `“The tide.”\n${path}\nSo true\n> Ana: Why?\n`,
  ],
  [
    `“The tide.”\n${path}\nSo true`,
    `“Rain.”\n/read/a#p-1\n`,
    `“The tide.”\n${path}\nSo true\n“Rain.”\n/read/a#p-1\n`,
  ],
])("adds to %j the lines %j, with one quote first", (text, lines, result) => {
  expect(addLines(text, lines)).toBe(result);
});

test("finds the passages of quotes wherever they are", () => {
  const text = `“The tide.”\n${path}\nAnd:\n> “Rain.”\n> /read/a#p-1\nSee /read/b#p-2`;
  expect(listPassages(text)).toEqual([
    { story: "salt-for-the-clockmaker", paragraph: "p-1x2y3z-2" },
    { story: "a", paragraph: "p-1" },
  ]);
});
