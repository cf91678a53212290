import type { Page } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { fillRoom } from "../support/fill-room.ts";
import { expectAccessible, expectAccessibleColors } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraph } from "./long-story.ts";
import { expectLazyScripts } from "./hydration.ts";
import { holdScript, waitForFrames } from "./reader.ts";
import { openRoom, ROOM_PATH } from "./room.ts";
import { openAs } from "./sign-in.ts";

const ORCHARD = "/read/the-lamplighters-orchard";

/** The papers that are the same in both themes, each with the theme that differs most from it. */
const PAPERS = [
  ["Paper", "dark"],
  ["White", "dark"],
  ["Sepia", "dark"],
  ["Mist", "dark"],
  ["Dusk", "light"],
  ["Night", "light"],
  ["Contrast", "light"],
] as const;

test.describe("with JavaScript", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });
  describeReading();

  test("a panel keeps the focus and what was chosen when its script arrives", async ({ page }) => {
    const load = await holdScript(page, "reader");
    await page.goto(ORCHARD);
    const summary = page.locator("summary", { hasText: "Type" });
    const details = page.locator("details", { has: summary }).first();
    await summary.press("Enter");
    const sepia = page.getByRole("radio", { name: "Sepia" });
    await sepia.focus();
    await sepia.press("Space");
    await expect(page.getByRole("button", { name: "Use these settings" })).toBeVisible();

    load();
    await expect(page.getByRole("button", { name: "Use these settings" })).toHaveCount(0);
    await expect(sepia).toBeChecked();
    await expect(sepia).toBeFocused();
    await expect(page.locator("[data-paper=sepia][data-font]")).toBeVisible();

    await page.keyboard.press("Escape");
    await expect(details).not.toHaveAttribute("open");
    await page.keyboard.press("t");
    await expect(details).toHaveAttribute("open");
    await page.keyboard.press("Escape");
    await expect(details).not.toHaveAttribute("open");

    await page.evaluate(() => scrollTo(0, 60));
    await summary.click();
    await expect(details).toHaveAttribute("open");
    await page.keyboard.press("Escape");
    await expect(details).not.toHaveAttribute("open");
    await expect(summary).toBeFocused();

    await page.keyboard.press("?");
    await expect(page.getByText("Open or close this list")).toBeVisible();
    await page.locator("#text p").first().click();
    await expect(details).not.toHaveAttribute("open");
    expect(await page.evaluate(() => scrollY)).toBe(60);
  });

  test("a setting changes the text when assistive technology, which moves no pointer, opens Type", async ({
    page,
  }) => {
    await page.goto(ORCHARD);
    const click = (element: HTMLElement) => element.click();

    await page.locator("summary", { hasText: "Type" }).evaluate(click);
    await expect(page.getByRole("button", { name: "Use these settings" })).toHaveCount(0);
    await page.locator("label", { hasText: "Sepia" }).evaluate(click);

    await expect(page.locator("[data-paper=sepia][data-font]")).toBeVisible();
  });

  test("a setting replaces none that another tab has changed", async ({ page, context }) => {
    const other = await context.newPage();
    for (const tab of [page, other]) await tab.goto(ORCHARD);
    const openType = async (tab: Page) => {
      await tab.keyboard.press("t");
      await expect(tab.getByRole("button", { name: "Use these settings" })).toHaveCount(0);
    };
    await openType(page);
    await page.getByRole("radio", { name: "Sepia" }).check();
    await openType(other);
    await other.getByRole("button", { name: "Larger text" }).click();
    await expect(other.locator("#text")).toHaveCSS("font-size", "20px");

    await page.reload();

    await expect(page.locator("#text")).toHaveCSS("font-size", "20px");
    await expect(page.locator("[data-paper=sepia][data-font]")).toBeVisible();
  });

  test("keys that select words or are typed in the room, a menu or a field are no shortcuts", async ({
    page,
    app,
    person,
  }) => {
    await fillRoom(app.firebase, person, 3);
    await openAs(page, person, ORCHARD);
    await test.step("Shift and arrow keys select words, and no arrow key leaves the story", async () => {
      const words = () => page.evaluate(() => getSelection()?.toString());
      await page.evaluate(() => {
        const node = document.querySelector("article section p")?.firstChild;
        if (node) getSelection()?.setBaseAndExtent(node, 0, node, "There were".length);
      });
      for (let letter = 1; letter <= 5; letter += 1) await page.keyboard.press("Shift+ArrowRight");
      await expect.poll(words).toBe("There were four");
      await page.keyboard.press("Shift+ArrowLeft");
      await expect.poll(words).toBe("There were fou");

      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowLeft");
      await waitForFrames(page);
      await expect(page).toHaveURL(ORCHARD);
      await expect(page).toHaveTitle("The Lamplighter's Orchard · Inkglade");
    });

    const type = page.locator("details[data-type]");
    await page.keyboard.press("t");
    await expect(type).toHaveAttribute("open");
    await page.keyboard.press("t");
    await expect(type).not.toHaveAttribute("open");

    await openRoom(page);
    await expect(page.getByRole("dialog", { name: "The room" })).toBeFocused();
    await page.keyboard.type("that is it?");
    await page
      .getByRole("button", { name: /^Actions for/ })
      .last()
      .press("Enter");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await page.keyboard.type("t?");
    await page.keyboard.press("Escape");
    for (const name of [/^Actions for/, "Close the room"]) {
      await page.getByRole("button", { name }).last().focus();
      await page.keyboard.type("t?");
    }
    await page.getByRole("searchbox").first().focus();
    await page.keyboard.type("t?");
    await waitForFrames(page);
    await expect(type).not.toHaveAttribute("open");
  });

  test("keys lead through the text, unless those of a single key are off", async ({
    page,
    app,
  }) => {
    const text = `    ${"one wide line ".repeat(60)}\n\n${LONG.text}`;
    await publishStory(app.firebase.hosts, { ...LONG, text });
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(LONG_PATH);
    await expectLazyScripts(page);
    await test.step("an arrow key in a wide block of code scrolls the code, and leads to no other part", async () => {
      // Loads the script of the shortcuts. Escape moves the focus when it closes the panel.
      const type = page.locator("details[data-type]");
      await page.keyboard.press("t");
      await expect(type).toHaveAttribute("open");
      await page.keyboard.press("Escape");
      await expect(type).not.toHaveAttribute("open");

      const code = page.locator("#text pre");
      await code.focus();
      await expect(code).toBeFocused();
      await page.keyboard.press("ArrowRight");

      await expect.poll(() => code.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
      await waitForFrames(page);
      await expect(code).toBeFocused();
      await expect(page).toHaveURL(LONG_PATH);
      await code.blur();
    });

    await test.step("arrow keys move the focus to the heading of the next or previous part", async () => {
      const getHeading = (part: number) =>
        page.getByRole("heading", { name: `Part ${part}`, exact: true });
      const entries = await page.evaluate(() => history.length);
      await page.keyboard.press("ArrowRight");
      await expect(getHeading(1)).toBeFocused();
      await page.keyboard.press("ArrowRight");
      await expect(getHeading(2)).toBeFocused();
      await expect(getHeading(2)).toBeInViewport();
      await page.keyboard.press("ArrowLeft");
      await expect(getHeading(1)).toBeFocused();
      expect(await page.evaluate(() => history.length)).toBe(entries);

      // As in caret browsing, which this browser has not.
      await page.evaluate(() => {
        getSelection()?.collapse(document.querySelector("#text p")?.firstChild ?? null, 3);
        addEventListener("keydown", ({ key }) => {
          if (key === "ArrowRight") getSelection()?.modify("move", "forward", "character");
        });
      });
      for (let letter = 1; letter <= 5; letter += 1) await page.keyboard.press("ArrowRight");
      await waitForFrames(page);
      await expect(getHeading(1)).toBeFocused();
      expect(await page.evaluate(() => getSelection()?.focusOffset)).toBe(8);
    });

    await test.step("keys are shortcuts, unless those of a single key are off", async () => {
      await page.evaluate(() => getSelection()?.removeAllRanges());
      await expectShortcuts(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("ArrowRight");
      await waitForFrames(page);
      await expect(page.getByRole("heading").and(page.locator(":focus"))).toHaveCount(0);
    });
  });

  test("on a phone the bar hides while the user reads on", async ({ page, app }) => {
    await publishStory(app.firebase.hosts, LONG);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(LONG_PATH);
    await expectHidingBar(page);
  });

  test("quotes words in the room, with a link back to them", async ({ page, app, person }) => {
    await publishStory(app.firebase.hosts, LONG);
    // The story is opened by a link, in a window where the room is beside it.
    await page.setViewportSize({ width: 1000, height: 800 });
    await openAs(page, person, "/home?type=story");
    await page.getByRole("link", { name: LONG.title }).first().click();
    await expect(page).toHaveURL(LONG_PATH);

    await getParagraph(page, 40).evaluate((paragraph) => {
      paragraph.scrollIntoView();
      const range = document.createRange();
      range.setStart(paragraph.firstChild ?? paragraph, 0);
      range.setEnd(paragraph.firstChild ?? paragraph, 20);
      getSelection()?.addRange(range);
    });
    const button = page.getByRole("button", { name: "Quote in the room" });
    const getDistance = () =>
      button.evaluate((element) => {
        const words = getSelection()?.getRangeAt(0).getBoundingClientRect();
        const box = element.getBoundingClientRect();
        const center = (words?.left ?? 0) + (words?.width ?? 0) / 2;
        return {
          x: Math.abs(box.left + box.width / 2 - center),
          y: Math.abs(box.top - (words?.bottom ?? 0)),
        };
      });
    await expect.poll(async () => (await getDistance()).y).toBeLessThan(16);
    expect((await getDistance()).x).toBeLessThan(100);
    // The place of the words changes, as it does when sections above them are laid out.
    await getParagraph(page, 39).evaluate(({ style }) => (style.paddingBottom = "3rem"));
    await expect.poll(async () => (await getDistance()).y).toBeLessThan(16);
    await button.click();
    const field = page.getByRole("textbox", { name: "Message" });
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport();
    await expect(field).toHaveValue(
      /^“Paragraph 40\. Nobody”\n\/read\/a-map-of-the-rain-0123456789#p-/,
    );
    await page.keyboard.type("t, or rain?");
    await page.getByRole("button", { name: "Send" }).click();

    const bubble = page.getByRole("log").getByRole("article").last();
    await expect(bubble).toContainText("t, or rain?");
    await bubble.getByRole("link", { name: "“Paragraph 40. Nobody”" }).click();
    await expect(getParagraph(page, 40)).toBeFocused();
    await expect(getParagraph(page, 40)).toBeInViewport();

    await test.step("the shortcuts are listed in a story that was opened by a link, too", async () => {
      await page.keyboard.press("?");
      await expect(page.getByText("Open or close this list")).toBeVisible();
    });

    await page.goto(ROOM_PATH);
    await page.getByRole("link", { name: "“Paragraph 40. Nobody”" }).click();
    await expect(getParagraph(page, 40)).toBeFocused();
    await expect(getParagraph(page, 40)).toBeInViewport();
  });

  test("Print opens the browser's dialog, and prints a long story alone and to its end", async ({
    page,
    app,
  }) => {
    await page.addInitScript(() => {
      window.print = () => void (document.title = "Printing");
    });
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(`${LONG_PATH}?all=1`);
    await page.locator("summary").filter({ hasText: "More" }).click();
    await page.getByRole("button", { name: "Print" }).click();
    await expect(page).toHaveTitle("Printing");

    await page.setViewportSize({ width: 1440, height: 900 });
    await openRoom(page);
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("body")).toHaveCSS("padding-right", "0px");
    await expect(page.locator("article h1")).toBeVisible();
    await expect(page.getByText("reading-page works!")).toBeHidden();
    await expect(page.getByRole("region", { name: "The room", exact: true })).toBeHidden();

    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    // A page of paper has room for some 3500 letters.
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(LONG.text.length / 4500);
  });

  test("runs no script of a malicious story, or of markup that was injected into the page", async ({
    page,
    app,
    allowError,
  }) => {
    const text = [
      "Before.",
      "<script>window.hurt = 1</script>",
      "<img src=x onerror='window.hurt = 1'>",
      "[x](javascript:window.hurt=1)",
      "<details open ontoggle='window.hurt = 1'>x</details>",
      "</noscript><svg onload='window.hurt = 1'>",
      "After.",
    ].join("\n\n");
    await publishStory(app.firebase.hosts, { ...LONG, text });
    const logged: string[] = [];
    page.on("console", (message) => void logged.push(message.text()));
    await page.goto(LONG_PATH);
    await expect(page.getByText("After.")).toBeVisible();
    await expect(
      page.getByRole("article").getByRole("link", { name: "x", exact: true }),
    ).toHaveCount(0);
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
    expect(logged.filter((line) => line.includes("Content Security Policy"))).toEqual([]);

    allowError(/Content Security Policy/);
    await page.evaluate(() => {
      document
        .getElementById("text")
        ?.insertAdjacentHTML(
          "beforeend",
          `<img src="data:," onerror="window.hurt = 1"><a id="hurtful" href="javascript:window.hurt = 1">x</a>`,
        );
      document.getElementById("hurtful")?.click();
    });
    await page
      .locator("#text img")
      .evaluate((image: HTMLImageElement) => image.decode().catch(() => null));
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  });

  test("has accessible colours on every paper, and borders in forced colours", async ({
    page,
    app,
    person,
  }) => {
    test.slow();
    await fillRoom(app.firebase, person, 1);
    // A run of axe takes as long as the text, so this one is short and has everything that is styled.
    const text =
      "## One\n\nTwo *three* **four** [five](/home) `six`\n\n> Seven\n\n- Eight\n\n---\n\nNine";
    await publishStory(app.firebase.hosts, { ...LONG, text });
    await page.goto(LONG_PATH);
    await page.locator("summary", { hasText: "Type" }).click();
    await page.locator("summary", { hasText: "Keyboard shortcuts" }).click();
    await expectAccessible(page);
    for (const [name, theme] of PAPERS) {
      await page.getByRole("radio", { name, exact: true }).check();
      await expectAccessibleColors(page, theme);
    }

    await page.getByRole("radio", { name: "Default", exact: true }).check();
    await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const bar = page.locator('main div:has(> div[style^="inline-size"])').first();
    await expect(bar).toHaveCSS("border-bottom-width", "1px");
    const [ground, progress] = await bar.evaluate((track) =>
      [track, track.firstElementChild ?? track].map(
        (part) => getComputedStyle(part).backgroundColor,
      ),
    );
    expect(progress).not.toBe(ground);
    await openRoom(page);
    const bubble = page.locator("article[data-live], [role=log] article").first();
    await expect(bubble).toHaveCSS("border-top-width", "1px");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeReading();
});

function describeReading() {
  test("a story on paper has no controls, and the addresses of its links", async ({
    page,
    app,
  }) => {
    const id = "salt-0123456789";
    const text = "The [tide](https://example.com/tide) came in.";
    await publishStory(app.firebase.hosts, { id, title: "Salt", text, tags: ["sea"] });
    await page.goto(`/read/${id}?all=1`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });

    expect((await page.locator("body").innerText()).trim()).toMatch(
      /^Salt\s+Ana\s+The tide came in\.$/,
    );
    for (const role of ["button", "navigation", "textbox"] as const) {
      await expect(page.getByRole(role)).toHaveCount(0);
    }
    await expect(page.getByRole("article").getByText("came in")).toHaveCSS("color", "rgb(0, 0, 0)");
    const address = await page
      .getByRole("link", { name: "tide" })
      .evaluate((link) => getComputedStyle(link, "::after").content);
    expect(address).toBe('" (https://example.com/tide)"');
    const rules = await page.evaluate(() =>
      [...document.styleSheets].map(({ cssRules }) => [...cssRules].map((rule) => rule.cssText)),
    );
    expect(rules.flat().join("")).toContain("counter(page)");
  });

  test("shows a story and its files, and applies the settings at the first paint of the next page", async ({
    page,
    javaScriptEnabled,
  }) => {
    await page.goto(ORCHARD);
    await expect(page).toHaveTitle("The Lamplighter's Orchard · Inkglade");
    expect((await page.getByRole("main").innerText()).startsWith("reading-page works!")).toBe(true);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Lamplighter's Orchard");
    await expect(page.getByText(/^Inkglade Editors · \d+ min/)).toBeVisible();
    await expect(page.getByRole("article")).toContainText("Light them before they ask.");

    await test.step("the tools have the files, and only buttons that work", async () => {
      const more = page.locator("summary").filter({ hasText: "More" });
      await more.click();
      const file = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download as Markdown" }).click();
      expect((await file).suggestedFilename()).toBe("the-lamplighters-orchard.md");
      await expect(page.getByRole("link", { name: "Download as plain text" })).toBeVisible();
      const book = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download as EPUB" }).click();
      expect((await book).suggestedFilename()).toBe("the-lamplighters-orchard.epub");
      if (!javaScriptEnabled) {
        for (const name of ["Print", "Listen"]) {
          await expect(page.getByText(name, { exact: true })).toBeHidden();
        }
      }
      await more.click();
    });

    const type = page.locator("summary", { hasText: "Type" });
    await type.click();
    await page.getByRole("radio", { name: "Sepia" }).check();
    for (const size of ["20", "21", "22"]) {
      // Without scripts each press submits the form.
      if (!(await page.getByRole("group", { name: "Size" }).isVisible())) await type.click();
      await page.getByRole("button", { name: "Larger text" }).click();
      await expect(page.locator("#text")).toHaveCSS("font-size", `${size}px`);
    }
    await expectType(page);
    const html = await (await page.request.get("/read/the-understudy-moon")).text();
    expect(html).toMatch(/data-paper="sepia"[^>]*--read-size:1\.375rem/);
    await page.reload();
    await expectType(page);

    await page.getByRole("link", { name: "Read it next Salt for the Clockmaker" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Salt for the Clockmaker");
    await expect(
      page.getByRole("link", { name: "Previous: The Lamplighter's Orchard" }),
    ).toBeVisible();
  });
}

/** Expects that the bar hides while the user scrolls down, and returns on a tap, a scroll up or the focus. */
async function expectHidingBar(page: Page) {
  const contents = page.locator("summary", { hasText: "Contents" });
  const room = page.getByRole("link", { name: /^Room/ });
  await expect(contents).toBeInViewport();

  await page.mouse.move(180, 300);
  await page.mouse.wheel(0, 1500);
  await expect(contents).not.toBeInViewport();
  await expect(room).not.toBeInViewport();
  await page.mouse.wheel(0, -100);
  await expect(contents).toBeInViewport();
  await page.mouse.wheel(0, 400);
  await expect(contents).not.toBeInViewport();
  await page.mouse.click(180, 300);
  await expect(contents).toBeInViewport();
  await expect(room).toBeInViewport();

  await contents.click();
  await page.getByRole("link", { name: /^2\. Part 2/ }).click();
  // Below the place of the header, and of the reader's bar if that has not hidden yet.
  await expect.poll(() => getTop(page, "Part 2")).toBeLessThan(130);
  await expect(page.getByRole("navigation", { name: "Contents" })).toBeHidden();
}

/** Expects the listed keyboard shortcuts, but not in a field. Afterwards those of a single key are off. */
async function expectShortcuts(page: Page) {
  const sheet = page.getByRole("group", { name: "Line spacing" });
  const help = page.getByText("Open or close type settings", { exact: true });
  await page.keyboard.press("t");
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("Control+t");
  await expect(sheet).toBeHidden();

  await page.keyboard.press("?");
  await expect(help).toBeVisible();
  await page.getByRole("group", { name: "Single-key shortcuts" }).getByLabel("Off").check();
  await expect(help).toBeHidden();
  await page.keyboard.press("t");
  await expect(sheet).toBeVisible();
}

async function expectType(page: Page) {
  await expect(page.locator("#text")).toHaveCSS("font-size", "22px");
  await expect(page.locator("[data-paper]").first()).toHaveCSS(
    "background-color",
    "rgb(244, 236, 216)",
  );
}

function getTop(page: Page, heading: string): Promise<number> {
  return page
    .getByRole("heading", { name: heading, exact: true })
    .evaluate((element) => element.getBoundingClientRect().top);
}
