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

test("there is no setting to read together, because it needs scripts", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });
  const { html } = await browser.get(`/read/${STORY}`);
  expect(html).toContain("Quotes in the margin");
  expect(html).not.toContain("Read together");
});

/** Returns where the form with the type settings leads. */
function findReturnTo(html: string): string | undefined {
  const form = /<form [^>]*action="\/reading-settings"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  return /name="returnTo" value="([^"]*)"/.exec(form)?.[1];
}
