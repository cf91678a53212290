import { expect, test } from "vitest";

import { formatQuote, readQuote } from "#app/chat/quotes/quote.ts";

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
])("does not read %j as a quote", (text) => {
  expect(readQuote(text)).toBeNull();
});
