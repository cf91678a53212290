import { expect, test } from "vitest";
import { readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";

test.each(["1", "anything", "%F0%9F%93%96", "the-lamplighters-orchard"])(
  "the reading page of %s shows the specification's line",
  async (id) => {
    await using browser = await startPlainBrowser();

    const page = await browser.get(`/read/${id}`);

    expect(page.path).toBe(`/read/${id}`);
    expect(readTexts(page, ["p", "h1"])).toContain("reading-page works!");
  },
);
