import type { Page } from "@playwright/test";
import { zipSync } from "fflate";

import { buildDocx, p, r, style, STYLES } from "#tests/support/docx.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectMarkdown, findRichEditor, findStory, openEditor } from "./story.ts";

const MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const body =
  p(r("The Tide"), style("Titel")) +
  p(r("One"), style("berschrift1")) +
  p(`${r("It was ")}${r("late", "<w:i/>")}${r(" and dark", '<w:u w:val="single"/>')}${r(".")}`);
const buffer = Buffer.from(buildDocx({ styles: STYLES, body }));
const TEXT = "# One\n\nIt was *late* and dark.";
const NOT_KEPT = "Stories have no underlining: only the words were kept.";

test("opens a Word document with its title and what was not kept, and restores what it replaced", async ({
  page,
  person,
}) => {
  await openEditor(page, person);
  const more = page.getByLabel("More", { exact: true });
  await more.click();
  await open(page, { name: "tide.docx", mimeType: MIME, buffer });
  await expectMarkdown(page, TEXT);
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("The Tide");
  await expect(page.getByText(NOT_KEPT)).toBeVisible();
  const editor = await findRichEditor(page);
  await expect(editor.locator("em")).toHaveText("late");
  await expectAccessible(page);

  const bomb = Buffer.from(zipSync({ "word/document.xml": new Uint8Array(13 << 20) }));
  await open(page, { name: "bomb.docx", mimeType: MIME, buffer: bomb });
  await expect(page.getByText(/That file has more in it than we can read/)).toBeVisible();
  await expectMarkdown(page, TEXT);

  const restore = page.getByRole("button", { name: "Restore previous text" });
  await restore.click();
  await expectMarkdown(page, "");
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("");
  await expect(page.getByText(NOT_KEPT)).toHaveCount(0);

  await test.step("restores the text from before the files, and then what was written since", async () => {
    await findStory(page).fill("My draft.");
    await more.click();
    const openText = (name: string, text: string) =>
      open(page, { name, mimeType: "text/markdown", buffer: Buffer.from(text) });
    await openText("one.md", "*One.*");
    await expectMarkdown(page, "*One.*");
    await openText("two.md", "*Two.*");
    await expectMarkdown(page, "*Two.*");
    await findStory(page).fill("Two, and more.");
    // Typing has closed the menu.
    await more.click();

    await restore.click();
    await expectMarkdown(page, "My draft.");

    await restore.click();
    await expectMarkdown(page, "*Two, and more.*");
  });
});

/** Opens a file in the editor. Its menu has to be open. */
async function open(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open text file" }).click();
  await (await choosing).setFiles(file);
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("imports a Word document into a draft of its own", async ({ page, person }) => {
    await openAs(page, person, "/create");
    await page.getByLabel("Your story").fill("Typed.");
    await page
      .getByLabel("Import a text")
      .setInputFiles({ name: "tide.docx", mimeType: MIME, buffer });
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByLabel("Your story")).toHaveValue(TEXT);
    await expect(page.getByLabel("Title", { exact: true })).toHaveValue("The Tide");
    await expect(page.getByText(NOT_KEPT)).toBeVisible();
    await page.goto(new URL("/create?panel=drafts", page.url()).href);
    await expect(page.getByText("Untitled")).toBeVisible();

    await page.getByLabel("Import a text").setInputFiles({
      name: "a.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7"),
    });
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByText(/A PDF has pages and no paragraphs/)).toBeVisible();
    await expect(page.getByLabel("Your story")).toHaveValue(TEXT);
  });
});
