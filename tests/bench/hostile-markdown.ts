import { renderInSteps } from "#app/stories/markdown.server.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { makeLongText } from "#tests/support/stories.ts";
import { median } from "./percentile.ts";

// Renders hostile stories of the maximum length, and plain prose of the same length, and compares the times. Exits with 1
// when one of them takes more than five times as long, or a step without time for other requests more than 500 ms.

const ROUNDS = 3;
const MAX_RATIO = 5;
const MAX_STEP_MS = 500;

/** Each is repeated to the maximum length. */
const PATTERNS: Record<string, string> = {
  "one-letter paragraphs": "a\n\n",
  "one-letter lines": "a\n",
  "short paragraphs": "“Yes,” she said, and went to the sea.\n\n",
  "line breaks": "a\\\n",
  "list items": "- a\n",
  "list items with empty lines": "- a\n\n",
  "items of many lists": "1. The sea is a door.\n\nAnd so on.\n\n",
  quotes: "> a\n\n",
  "short quotes": "> The sea is not a road but a door.\n\n",
  "quotes without their marker": "> a\nb\n\n",
  headings: "# a\n",
  "headings with text": "## The tide\n\nThe sea is not a road but a door, and it opens twice.\n\n",
  "underlined headings": "a\n=\n\n",
  "thematic breaks": "***\n\n",
  "emphasis in paragraphs":
    "*She* said **so**, and went to the sea, which is not a road but a door that opens.\n\n",
  "emphasis that never ends": "*a_ ",
  "a run of emphasis": "*",
  "links in paragraphs":
    "The [sea](https://example.com) is not a road but a door that opens twice a day.\n\n",
  "links that never end": "[a](",
  "images in images": "![",
  "link definitions": "[a]: https://example.com\n[a]\n\n",
  "dialogue in brackets": "[Anna]: Hello!\n\n",
  "deep quotes": `${"> ".repeat(90)}a\n\n`,
  "deep lists": `${"- ".repeat(90)}a\n\n`,
  tables: "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
  HTML: "The <b>sea</b> is<br>a road.\n\n",
  "comments that never end": "<!-- ",
  "code blocks": "```\na\n```\n\nThe sea is a road.\n\n",
  "Japanese without spaces": "海は道ではなく扉である。".repeat(12).concat("\n\n"),
  "one word": "a",
};

const plain = makeLongText(MAX_STORY_LENGTH);
render(plain);
const plainMs: number[] = [];
let isOver = false;
for (const [name, pattern] of Object.entries(PATTERNS)) {
  const text = pattern.repeat(MAX_STORY_LENGTH / pattern.length);
  const times: number[] = [];
  const steps: number[] = [];
  // Alternates, so that other load affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    plainMs.push(render(plain).ms);
    const { ms, longestStepMs } = render(text);
    times.push(ms);
    steps.push(longestStepMs);
  }
  const ratio = median(times) / median(plainMs.slice(-ROUNDS));
  const step = median(steps);
  const isTooSlow = ratio > MAX_RATIO || step > MAX_STEP_MS;
  isOver ||= isTooSlow;
  const result = `${ratio.toFixed(2).padStart(6)} × prose  longest step ${step.toFixed(0).padStart(4)} ms`;
  console.log(`${name.padEnd(30)} ${result}  ${isTooSlow ? "OVER" : "ok"}`);
}
console.log(`plain prose takes ${median(plainMs).toFixed(0)} ms`);
process.exitCode = isOver ? 1 : 0;

function render(markdown: string): { ms: number; longestStepMs: number } {
  const steps = renderInSteps(markdown);
  const startedAt = performance.now();
  let longestStepMs = 0;
  for (let isDone = false; !isDone;) {
    const stepAt = performance.now();
    isDone = steps.next().done ?? false;
    longestStepMs = Math.max(longestStepMs, performance.now() - stepAt);
  }
  return { ms: performance.now() - startedAt, longestStepMs };
}
