import { expect, test, vi } from "vitest";

// Node's `react-dom/server` cannot render to a web stream. workerd's can.
vi.mock("react-dom/server", () => vi.importActual("react-dom/server.browser"));

const { readTexts, startPlainBrowser } = await import("#tests/support/plain-browser.ts");

test.each(["1", "anything", "%F0%9F%93%96", "the-lamplighters-orchard"])(
  "the reading page of %s shows the specification's line",
  async (id) => {
    await using browser = await startPlainBrowser();

    const page = await browser.get(`/read/${id}`);

    expect(page.path).toBe(`/read/${id}`);
    expect(readTexts(page, ["p", "h1"])).toContain("reading-page works!");
  },
);
