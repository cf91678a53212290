import { randomUUID } from "node:crypto";

import { describe, expect, test } from "vitest";

import { createEtag, type PageSource } from "#app/http/page-headers.server.ts";

const HALF_PAST_NINE = Date.UTC(2026, 10, 23, 9, 30);
const MINUTE_MS = 60_000;

/** Returns the ETag of a page rendered at `now`, with its own message id. `changed` replaces parts of its source. */
function createPageEtag(now: number, changed: Partial<PageSource> = {}): Promise<string> {
  const messageId = randomUUID();
  const loaderData = JSON.stringify({ messages: ["Hello"], nextId: messageId, now });
  const source = { buildId: "b1", url: "https://inkglade.test/home", loaderData, html: ["", ""] };
  return createEtag({ ...source, ...changed }, { messageId, now });
}

test("a page keeps its ETag for a quarter of an hour, in which no date on it can change", async () => {
  const tag = await createPageEtag(HALF_PAST_NINE);

  expect(await createPageEtag(HALF_PAST_NINE + 14 * MINUTE_MS)).toBe(tag);
  expect(await createPageEtag(HALF_PAST_NINE + 15 * MINUTE_MS)).not.toBe(tag);
});

describe("a page has another ETag", () => {
  test.each([
    ["another build", { buildId: "b2" }],
    ["another address", { url: "https://inkglade.test/home?type=book" }],
    ["other data", { loaderData: JSON.stringify({ messages: ["Hello", "Bye"] }) }],
    ["another text", { html: ["<p>Once</p>", ""] }],
    ["something else after the text", { html: ["", "<p>Read next</p>"] }],
  ])("with %s", async (_, changed) => {
    expect(await createPageEtag(HALF_PAST_NINE, changed)).not.toBe(
      await createPageEtag(HALF_PAST_NINE),
    );
  });
});
