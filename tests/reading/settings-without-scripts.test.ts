import { expect, test } from "vitest";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";

const STORY = "the-lamplighters-orchard";

test("the type settings lead back to the saved reading position", async () => {
  await using browser = await startPlainBrowser();
  const path = `/read/${STORY}`;
  const { html } = await browser.get(path);
  expect(findReturnTo(html)).toBe(path);
  const buttons = [...html.matchAll(/<button [^>]*name="paragraph" value="(p-[^"]+)"/g)];
  const paragraph = buttons[2]?.[1] ?? "";

  await browser.post("/reading-position", { story: STORY, paragraph });

  expect(findReturnTo((await browser.get(path)).html)).toBe(`${path}#${paragraph}`);
});

test("Save and Hide lead back to the saved reading position", async () => {
  await using browser = await startPlainBrowser();
  const path = `/read/${STORY}?talk=everyone`;
  const { html } = await browser.get(path);
  expect(findReturnTo(html, "saved")).toBe(path);
  expect(findReturnTo(html, "hidden")).toBe(path);
  const [, paragraph = ""] = /<button [^>]*name="paragraph" value="(p-[^"]+)"/.exec(html) ?? [];

  await browser.post("/reading-position", { story: STORY, paragraph });

  const resumed = await browser.get(path);
  expect(findReturnTo(resumed.html, "saved")).toBe(`${path}#${paragraph}`);
  expect(findReturnTo(resumed.html, "hidden")).toBe(`${path}#${paragraph}`);
});

test("there is no setting to read together, because it needs scripts", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });
  const { html } = await browser.get(`/read/${STORY}`);
  expect(html).toContain("Quotes in the margin");
  expect(html).not.toContain("Read together");
});

/** Returns where the first form with this action leads. */
function findReturnTo(html: string, action = "reading-settings"): string | undefined {
  const forms = new RegExp(`<form [^>]*action="/${action}".*?</form>`, "s");
  const [form = ""] = forms.exec(html) ?? [];
  return /name="returnTo" value="([^"]*)"/.exec(form)?.[1];
}
