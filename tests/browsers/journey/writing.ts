import { expect } from "vitest";

import { test } from "../fixtures.ts";
import { button, element, field, heading, link, type Page } from "../page.ts";

const EDITOR = element("[contenteditable=true]");

test("the editor makes words bold, headings and lists, and undoes them", async ({
  openPage,
  person,
}) => {
  const page = await openEditor(await openPage("/create", { person }));
  await page.type("salt");
  await page.press("Control+a");
  await page.press("Control+b");
  await expect.poll(() => readMarkdown(page)).toBe("**salt**");
  await page.press("Control+b");
  for (const [name, markdown] of [
    [/^H1/, "# salt"],
    [/^List$/, "- salt"],
  ] as const) {
    await page.click(button(name));
    await expect.poll(() => readMarkdown(page)).toBe(markdown);
    await page.click(button("Undo"));
    await expect.poll(() => readMarkdown(page)).toBe("salt");
  }
});

test("the editor reads Markdown as it is typed", async ({ openPage, person }) => {
  const page = await openEditor(await openPage("/create", { person }));
  await page.type("The tide came in.");
  await page.press("Enter");
  await page.type("## High water");
  await page.press("Enter");
  await page.type("It was **late**, and *cold*.");
  await expect
    .poll(() => readMarkdown(page))
    .toBe("The tide came in.\n\n## High water\n\nIt was **late**, and *cold*.");
});

test("a draft is saved by itself, and is there after a reload", async ({ openPage, person }) => {
  const page = await openEditor(await openPage("/create", { person }));
  await page.type("The tide came in.");
  await page.fill(field("Title"), "Salt and Sand");
  await page.seeText("Saved to your account");
  await page.reload();
  await page.see(element("[contenteditable=true]", /The tide came in\./));
  expect((await page.find(field("Title"))).value).toBe("Salt and Sand");
});

test("the plain editor grows with its text", async ({ openPage, person }) => {
  const page = await openEditor(await openPage("/create", { person }));
  await page.click(button("Plain Markdown"));
  const area = element("textarea[name=text]");
  await page.click(area);
  const { height } = await page.find(area);
  for (let line = 0; line < 30; line += 1) await page.press("Enter");
  await expect.poll(async () => (await page.find(area)).height).toBeGreaterThan(height);
});

test("a story is published and read", async ({ openPage, person }) => {
  const page = await openEditor(await openPage("/create", { person }));
  await page.type("The tide came in.");
  await page.fill(field("Title"), "Salt and Sand");
  await page.click(button("Publish"));
  await page.click(element(":is(dialog, [role=dialog]) button", "Publish"));
  await page.see(heading(/Salt and Sand is published\./));
  await page.click(link("Read it"));
  await expect.poll(() => page.path()).toMatch(/^\/read\/salt-and-sand-/);
  await page.see(element("#text p", "The tide came in."));
});

test("the preview shows what readers would see", async ({ openPage, person }) => {
  const page = await openEditor(await openPage("/create", { person }));
  await page.type("The tide came in.");
  await page.click(button("Preview"));
  await page.see(element(":is(dialog, [role=dialog]) p", "The tide came in."));
  await page.press("Escape");
  await page.miss(element(":is(dialog, [role=dialog])"));
});

async function openEditor(page: Page): Promise<Page> {
  await page.see(EDITOR);
  await page.click(EDITOR);
  return page;
}

/** Returns what the form sends. */
function readMarkdown(page: Page): Promise<string> {
  return page.call(
    () => document.querySelector<HTMLTextAreaElement>("textarea[name=text]")?.value ?? "",
  );
}
