import type { Mutation } from "./mutation.ts";

const MARKDOWN = "app/stories/markdown.server.ts";
const MARKDOWN_LIMITS = "app/stories/markdown-limits.ts";
const MARKDOWN_TESTS = ["tests/stories/markdown.test.ts", "tests/stories/markdown-limits.test.ts"];

/** The Markdown of stories. */
export const STORY_MUTATIONS: readonly Mutation[] = [
  {
    name: "loads images over https only",
    file: MARKDOWN,
    original: 'src: ["https"]',
    replacement: 'src: ["http", "https"]',
    tests: MARKDOWN_TESTS,
  },
  {
    name: "sends no Referer header to an image's server",
    file: MARKDOWN,
    original: '    properties.referrerPolicy = "no-referrer";\n',
    replacement: "",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "counts quotes as nesting",
    file: MARKDOWN_LIMITS,
    original: "/[-+*>]|\\d+[.)]/g",
    replacement: "/[-+*]|\\d+[.)]/g",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "counts quotes without spaces as nesting",
    file: MARKDOWN_LIMITS,
    original: "(?:[ \\t>]|[-+*]",
    replacement: "(?:[ \\t]|>(?=[ \\t])|[-+*]",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "counts the lazy continuation lines of a quote",
    file: MARKDOWN_LIMITS,
    original: " || countQuotes(lead) < countQuotes(before)",
    replacement: "",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "counts two columns as a level of a list",
    file: MARKDOWN_LIMITS,
    original: "Math.floor(blanks.length / 2)",
    replacement: "Math.floor(blanks.length / 4)",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "marks quoted passages only as far as the reader has read",
    file: "app/reading/reading.server.ts",
    original: "marks.filter(({ number }) => number <= lastReached)",
    replacement: "marks",
    tests: ["tests/reading/marks.test.ts"],
  },
  {
    name: "folds a quote of a later passage",
    file: "app/chat/quotes/quoted-story.ts",
    original: "return lastReached < (story",
    replacement: "return lastReached <= (story",
    tests: ["tests/chat/quotes.test.ts"],
  },
];
