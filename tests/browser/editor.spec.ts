import { readFile } from "node:fs/promises";

import type { Locator, Page } from "@playwright/test";

import { expectAccessible, expectVisibleTextInNames } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { waitForFrames } from "./reader.ts";
import { openAs } from "./sign-in.ts";
import {
  clearStory,
  deleteStory,
  expectMarkdown,
  findArea,
  findRichEditor,
  findStory,
  isSave,
  openEditor,
  paste,
} from "./story.ts";

const SCENE_BREAKS = ["***", "* * *", "---", "- - -", "___", "_ _ _", "⁂"];

test("Markdown becomes what it means as it is typed", async ({ page, person }) => {
  await servePictures(page);
  const editor = await openEditor(page, person);
  for (const mark of SCENE_BREAKS) {
    await test.step(`${mark} between two paragraphs is a scene break, with the caret after it`, async () => {
      await deleteStory(page);
      await page.keyboard.type("Evening.");
      await page.keyboard.press("Enter");
      await page.keyboard.type(mark);
      // Some marks have become a break already.
      if (await editor.getByText(mark).isVisible()) await page.keyboard.press("Enter");
      await page.keyboard.type("Morning.");
      await expectMarkdown(page, "Evening.\n\n---\n\nMorning.");
    });
  }

  await test.step("after a pasted break, or one between paragraphs, the next words follow it", async () => {
    await deleteStory(page);
    await paste(editor, { text: "Evening.", html: "<p>Evening.</p><p>* * *</p>" });
    await page.keyboard.type("Morning.");
    await expectMarkdown(page, "Evening.\n\n---\n\nMorning.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Noon.");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    // The editor learns where the caret is from an event that the browser sends later.
    await waitForFrames(page);
    await page.keyboard.press("Enter");
    await page.keyboard.type("***");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Ten.");
    await expectMarkdown(page, "Evening.\n\n---\n\nMorning.\n\n---\n\nTen.\n\nNoon.");
  });

  await test.step("bold and italic words, lists and dashes may begin with the marks of a break", async () => {
    await deleteStory(page);
    await page.keyboard.type("***salt*** and sand");
    await page.keyboard.press("Enter");
    await page.keyboard.type("- one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("-");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("-- said Ana");
    await expectMarkdown(page, "***salt*** and sand\n\n- one\n- \\-\n\n\\-- said Ana");
  });

  await test.step("links and pictures can be typed, and a link ends where it ends", async () => {
    await clearStory(page);
    await editor.click();
    await page.keyboard.type("See [the **old** sea](https://example.com/sea) and more.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("![A lamp](https://example.com/lamp.png) and light.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("![No](http://example.com/no.png) [sic](see)");
    await expectMarkdown(
      page,
      "See [the **old** sea](https://example.com/sea) and more.\n\n" +
        "![A lamp](https://example.com/lamp.png) and light.\n\n" +
        "!\\[No]\\(http://example.com/no.png) \\[sic]\\(see)",
    );
  });
});

test("changes no character of a text unless the user does, and remembers their choices", async ({
  page,
  person,
}) => {
  const editor = await openEditor(page, person);
  const choice = page.getByRole("button", { name: "Plain Markdown" });
  const curly = page.getByRole("button", { name: "Curly quotes and dashes" });
  const more = page.getByLabel("More", { exact: true });

  await test.step("straight quotes and hyphens stay, unless the user has chosen curly ones", async () => {
    await editor.click();
    const words = `"It's late" -- 'very'`;
    await page.keyboard.type(words);
    await expectMarkdown(page, words);
    await more.click();
    await curly.click();
    await expect(curly).toHaveAttribute("aria-pressed", "true");
    await expectAccessible(page);
    await deleteStory(page);
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await page.keyboard.type("---");
    await page.keyboard.type('"');
    await page.keyboard.press("Backspace");
    await expectMarkdown(page, '“It’s late” — ‘very’\n\n---\n\n"');
  });

  await test.step("the choices of curly quotes and of plain Markdown are remembered", async () => {
    await editor.fill("# Not a heading");
    await choice.click();
    await expect(findStory(page)).toHaveValue("\\# Not a heading");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await page.reload();
    await expect(choice).toHaveAttribute("aria-pressed", "true");
    await page.emulateMedia({ forcedColors: "active" });
    const color = await choice.evaluate((button) => {
      const pressed = getComputedStyle(button).backgroundColor;
      button.setAttribute("aria-pressed", "false");
      const other = getComputedStyle(button).backgroundColor;
      button.setAttribute("aria-pressed", "true");
      return { pressed, other };
    });
    expect(color.pressed).not.toBe(color.other);
    await page.emulateMedia({ forcedColors: null });
    await expect(findArea(page)).toBeVisible();
    await expect(toolbar(page)).toBeHidden();
    await findStory(page).fill("*salt*");
    await choice.click();
    await expect((await findRichEditor(page)).locator("em")).toHaveText("salt");
    await more.click();
    await expect(curly).toHaveAttribute("aria-pressed", "true");
  });

  await test.step("opening a draft never changes it", async () => {
    await choice.click();
    const foreign =
      "Setext\n======\n\n\n* star\n+ plus\n\n__bold__ _it_ <b>b</b>\n\n[a]\n\n[a]: /b\n";
    await findStory(page).fill(foreign);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await choice.click();
    await (await findRichEditor(page)).click();
    await page.keyboard.press("ArrowDown");
    await expectMarkdown(page, foreign);
    await expect(page.getByText("Saved to your account")).toBeVisible();
  });

  await test.step("a Markdown file is opened and downloaded byte for byte, saved or not", async () => {
    await page.getByLabel("Title").fill("Salt & Sand");
    await clearStory(page);
    await editor.fill("before");
    await more.click();
    const markdown = "Setext\n======\n\n\n* star\n+ plus\n\n__bold__ é 😀\n";
    await openFile(page, Buffer.from(markdown));
    await expect(editor.getByRole("heading", { name: "Setext" })).toBeVisible();
    expect(await download(page)).toEqual(["salt-sand.md", markdown]);
    await page.getByLabel("Title").fill("कहानी की शुरुआत");
    await more.click();
    expect(await download(page)).toEqual(["कहानी-की-शुरुआत.md", markdown]);

    await page.getByRole("button", { name: "Restore previous text" }).click();
    await expect(editor).toHaveText("before");
    await editor.press("ControlOrMeta+z");
    await expect(editor.getByRole("heading", { name: "Setext" })).toBeVisible();
    await editor.press("ControlOrMeta+Shift+z");
    await expect(editor).toHaveText("before");
    await more.click();
    await openFile(page, Buffer.from([0xff, 0xfe, 0x00]));
    await expect(page.getByText("That file isn't text")).toBeVisible();
    await expectMarkdown(page, "before");
    await expectAccessible(page);
  });
});

test("a long story is accessible, and its caret is in view after a paste", async ({
  page,
  person,
}) => {
  const editor = await openEditor(page, person);
  const lines = Array.from({ length: 40 }, (_, index) => `Line ${index}.`);
  const html = lines.map((line) => `<p>${line}</p>`).join("");
  const last = editor.getByText("Line 39.");
  const isClear = () =>
    last.evaluate((line) => {
      const { left, bottom } = line.getBoundingClientRect();
      return line.contains(document.elementFromPoint(left + 5, bottom - 5));
    });
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await test.step(`after a paste in a window of ${width} pixels, the caret is clear of the bars`, async () => {
      await page.setViewportSize({ width, height });
      await clearStory(page);
      await editor.click();
      await paste(editor, { text: lines.join("\n\n"), html });
      await expect.poll(isClear).toBe(true);
    });
  }

  await toolbar(page).getByRole("button", { name: "Quote" }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Saved to your account")).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
    await expectVisibleTextInNames(page);
  }
  await page
    .getByRole("complementary")
    .getByRole("link", { name: "Versions", exact: true })
    .click();
  await expect(page.getByRole("region", { name: "Earlier versions" })).toBeVisible();
  await expectAccessible(page);
});

test("pictures and bold Japanese words are plain Markdown, and shown as what they are", async ({
  page,
  person,
}) => {
  await servePictures(page);
  const editor = await openEditor(page, person);

  await test.step("inserts a picture by its address, and changes the description of a selected one", async () => {
    await editor.fill("Look: ");
    await page.keyboard.press("End");
    const button = toolbar(page).getByRole("button", { name: "Picture" });
    await button.click();
    const address = page.getByLabel("Picture address");
    const description = page.getByLabel("Picture description");
    await expect(address).toBeFocused();
    await address.fill("http://example.com/lamp.png");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Enter a web address that begins with https.")).toBeVisible();
    await expectAccessible(page);
    await address.fill("example.com/lamp.png");
    await description.fill("A lamp");
    await page.keyboard.press("Enter");
    await page.keyboard.type("!");
    await expectMarkdown(page, "Look: ![A lamp](https://example.com/lamp.png)!");

    await editor.getByRole("img", { name: "A lamp" }).click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await button.click();
    await expect(address).toHaveValue("https://example.com/lamp.png");
    await description.fill("A lamp in the fog");
    await page.keyboard.press("Enter");
    await expectMarkdown(page, "Look: ![A lamp in the fog](https://example.com/lamp.png)!");

    await page.getByRole("button", { name: "Plain Markdown" }).click();
    await findArea(page).fill('![A lamp](https://example.com/lamp.png "Lit")');
    await page.getByRole("button", { name: "Plain Markdown" }).click();
    await editor.getByRole("img", { name: "A lamp" }).click();
    await button.click();
    await description.fill("A lamp at night");
    await page.keyboard.press("Enter");
    await expectMarkdown(page, '![A lamp at night](https://example.com/lamp.png "Lit")');
  });

  await test.step("bold Japanese words are plain letters in the Markdown", async () => {
    await deleteStory(page);
    await page.getByLabel("Title").fill("Salt and Sand");
    await editor.fill("これは");
    await editor.press("ControlOrMeta+b");
    await page.keyboard.insertText("「重要」");
    await editor.press("ControlOrMeta+b");
    await page.keyboard.insertText("です。");
    await expect(editor.locator("strong")).toHaveText("「重要」");
    await expectMarkdown(page, "これは**「重要」**です。");
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("dialog", { name: "Preview" });
    await expect(preview.locator("strong")).toHaveText("「重要」");
    await expect(preview).toContainText("これは「重要」です。");
  });
});

test("formats the text with every toolbar button and by keyboard", async ({ page, person }) => {
  const editor = await openEditor(page, person);
  await editor.fill("salt");
  for (const [name, markdown] of [
    ["H1, large heading", "# salt"],
    ["H2, small heading", "## salt"],
    ["Quote", "> salt"],
    ["List", "- salt"],
    ["Numbered list", "1. salt"],
  ] as const) {
    const button = toolbar(page).getByRole("button", { name, exact: true });
    await button.click();
    await expectMarkdown(page, markdown);
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await button.click();
    await expectMarkdown(page, "salt");
  }
  for (const [name, markdown] of [
    ["Bold", "**salt**"],
    ["Italic", "*salt*"],
  ] as const) {
    await page.keyboard.press("ControlOrMeta+a");
    await toolbar(page).getByRole("button", { name }).click();
    await expectMarkdown(page, markdown);
    await toolbar(page).getByRole("button", { name }).click();
    await expectMarkdown(page, "salt");
  }
  await page.keyboard.press("End");
  await toolbar(page).getByRole("button", { name: "Scene break" }).click();
  await expectMarkdown(page, "salt\n\n---");
  await toolbar(page).getByRole("button", { name: "Undo" }).click();
  await expectMarkdown(page, "salt");
  await toolbar(page).getByRole("button", { name: "Redo" }).click();
  await page.keyboard.type("sand");
  await expectMarkdown(page, "salt\n\n---\n\nsand");

  await editor.fill("salt");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+b");
  await expectMarkdown(page, "**salt**");
  await page.keyboard.press("ControlOrMeta+b");
  await page.keyboard.press("ControlOrMeta+Alt+1");
  await expectMarkdown(page, "# salt");
  await page.keyboard.press("ControlOrMeta+Alt+1");

  await page.keyboard.press("ControlOrMeta+k");
  const address = page.getByLabel("Link address");
  await expect(address).toBeFocused();
  await address.fill("javascript:alert(1)");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Enter a web address")).toBeVisible();
  await expectAccessible(page);
  await address.fill("example.com/salt");
  await page.keyboard.press("Enter");
  await expectMarkdown(page, "[salt](https://example.com/salt)");
  await expect(editor).toBeFocused();
  await toolbar(page).getByRole("button", { name: "Link" }).click();
  await expect(address).toHaveValue("https://example.com/salt");
  await page.getByRole("button", { name: "Remove link" }).click();
  await expectMarkdown(page, "salt");

  await toolbar(page).getByRole("button", { name: "List", exact: true }).click();
  await page.keyboard.press("Shift+Tab");
  await expect(toolbar(page).getByRole("button", { name: "List", exact: true })).not.toBeFocused();
  await page.keyboard.press("Home");
  await expect(toolbar(page).getByRole("button", { name: "Large heading" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(toolbar(page).getByRole("button", { name: "Small heading" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Drafts" })).toBeFocused();
  await expectMarkdown(page, "- salt");
});

test("writes each word from a phone keyboard once, in both editors", async ({ page, person }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openEditor(page, person);
  const keyboard = await openPhoneKeyboard(page);
  for (const [kind, word] of [
    ["rich editor", "海"],
    ["text area", "空"],
  ] as const) {
    if (kind === "text area") {
      await deleteStory(page);
      await page.getByRole("button", { name: "Plain Markdown" }).click();
      await expect(findArea(page)).toBeVisible();
    }
    await expectMarkdown(page, "");
    await findStory(page).click();
    await keyboard.compose("The");
    await keyboard.commit("The ");
    // Autocorrection replaces the word when it is committed.
    await keyboard.compose("tdie");
    await keyboard.commit("tide ");
    await keyboard.compose("cme");
    // The user selects a committed word again, and a suggestion replaces it.
    await keyboard.commit("cme");
    await keyboard.selectAgain("cme", "The tide ".length);
    await keyboard.commit("came");
    await page.keyboard.press("Enter");
    if (kind === "text area") await page.keyboard.press("Enter");
    await keyboard.compose(`${word}は`);
    const saved = page.waitForResponse(isSave);
    await keyboard.commit(`${word}は`);
    await page.keyboard.press("Backspace");

    const written = `The tide came\n\n${word}`;
    await expectMarkdown(page, written);
    await saved;
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectMarkdown(page, written);
  }

  await page.getByRole("button", { name: "Plain Markdown" }).click();
  const home = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" });
  await expect(home).toBeInViewport();
  await page.evaluate(() => {
    const { visualViewport } = window;
    if (!visualViewport) return;
    Object.defineProperty(visualViewport, "height", { get: () => 440 });
    visualViewport.dispatchEvent(new Event("resize"));
  });
  await expect(home).toBeHidden();
  const { y = 0, height = 0 } = (await toolbar(page).boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(440);
  expect(y).toBeGreaterThan(440 - 2 * height);
});

test("shows the rich editor without a layout shift, and not while the user types", async ({
  page,
  person,
}) => {
  await page.addInitScript(() => {
    const shifts: { at: number; value: number }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!("value" in entry) || typeof entry.value !== "number") continue;
        shifts.push({ at: entry.startTime, value: entry.value });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/editor-[\w-]+\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await openAs(page, person, "/create");
  const area = findArea(page);
  await expect(page.getByRole("button", { name: "Plain Markdown" })).toBeVisible();
  const before = await area.boundingBox();
  // A slow browser paints parts of the header while the page is still arriving.
  const start = await page.evaluate(() => performance.now());
  await area.fill("The tide");
  release();
  await page.waitForResponse(/\/editor-[\w-]+\.js/);
  await expect(page.locator("[contenteditable=true]")).toHaveText("The tide");
  await expect(area).toBeVisible();
  await page.keyboard.type(" came in.");
  await page.getByLabel("Title").focus();

  const editor = await findRichEditor(page);
  await expect(editor).toHaveText("The tide came in.");
  const sheet = editor.locator("xpath=ancestor::div[@data-milkdown-root]/..");
  expect(await sheet.boundingBox()).toEqual(before);
  // Layout shifts are fractions of the window. The caret's empty line adds a small one.
  const shifts = await page.evaluate<{ at: number; value: number }[]>("shifts");
  const later = shifts.filter(({ at }) => at > start);
  expect(later.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.001);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("previews what readers would see, and saves nothing", async ({ page, person }) => {
    await openAs(page, person, "/create");
    await page.getByLabel("Title").fill("Salt and Sand");
    await findStory(page).fill("## High water\n\nIt was **late**. <script>x</script>");
    await page.getByRole("button", { name: "Preview" }).click();

    const preview = page.getByRole("region", { name: "Preview" });
    await expect(preview.getByRole("heading", { name: "High water" })).toBeVisible();
    await expect(preview.locator("strong")).toHaveText("late");
    expect(await preview.innerHTML()).not.toContain("<script");
    await expect(preview.getByRole("button")).toHaveCount(0);
    await expect(page.getByLabel("Title")).toHaveValue("Salt and Sand");
    await expect(findStory(page)).toHaveValue(/^## High water\n/);
    await expect(page.getByText("Not saved yet", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Plain Markdown" })).toBeHidden();

    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("link", { name: "Drafts" }).click();
    await expect(page.getByRole("link", { name: "Salt and Sand" })).toBeVisible();
  });
});

function toolbar(page: Page): Locator {
  return page.getByRole("toolbar", { name: "Formatting" });
}

/** Serves a picture for each address of the web. */
async function servePictures(page: Page): Promise<void> {
  const body = await readFile("public/favicon.svg");
  await page.route("https://example.com/**", (route) =>
    route.fulfill({ body, contentType: "image/svg+xml" }),
  );
}

async function openFile(page: Page, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open text file" }).click();
  await (await choosing).setFiles({ name: "salt.md", mimeType: "text/markdown", buffer });
}

async function download(page: Page): Promise<[name: string, text: string]> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as Markdown" }).click();
  const file = await downloading;
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

/**
 * Returns a keyboard that types like a phone's: every letter replaces the whole composed word, until the word is
 * committed.
 */
async function openPhoneKeyboard(page: Page) {
  const session = await page.context().newCDPSession(page);
  const guess = (text: string, replaced?: { replacementStart: number; replacementEnd: number }) =>
    session.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
      ...replaced,
    });
  return {
    async compose(word: string) {
      for (let end = 1; end <= word.length; end += 1) await guess(word.slice(0, end));
    },
    selectAgain: (word: string, at: number) =>
      guess(word, { replacementStart: at, replacementEnd: at + word.length }),
    commit: (text: string) => session.send("Input.insertText", { text }),
  };
}
