import { expect, test } from "vitest";

import { readQuote, writeQuote } from "#app/chat/quote.ts";

const path = "/read/salt-for-the-clockmaker#p-1x2y3z-2";

test("words go to the room and back", () => {
  const text = writeQuote({ words: " The tide had\n been  coming in. ", path });

  expect(text).toBe(`“The tide had been coming in.”\n${path}\n`);
  // The room takes the spaces off the ends of a message.
  expect(readQuote(text.trim())).toEqual({
    words: "The tide had been coming in.",
    path,
    remark: "",
  });
  expect(readQuote(`${text}Which tide?\nMine.`)?.remark).toBe("Which tide?\nMine.");
});

test("long words are cut, and not through a character", () => {
  const words = readQuote(writeQuote({ words: "🌿".repeat(400), path }))?.words ?? "";

  expect(words).toBe(`${"🌿".repeat(300)}…`);
  expect(readQuote(writeQuote({ words: `x${"🌿".repeat(400)}`, path }))?.words).toMatch(/🌿…$/u);
});

test("quotation marks inside stay", () => {
  expect(readQuote(writeQuote({ words: "“Places,” said Ignatz", path }))?.words).toBe(
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
])("%j is a message like any other", (text) => {
  expect(readQuote(text)).toBeNull();
});
