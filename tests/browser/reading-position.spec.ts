import type { Locator, Page } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { LONG, LONG_PATH, getParagraph, getParagraphPath } from "./long-story.ts";
import { expectAtTop, expectTracking, waitForFrames } from "./reader.ts";
import { signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("keeps the position after a change of size or of earlier text, and after a reload", async ({
    page,
    app,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(LONG_PATH);
    await readTo(page, 40);
    // The user leaves before the browser has rendered what appears above the text.
    await getParagraph(page, 44).evaluate(async (paragraph) => {
      paragraph.scrollIntoView();
      await new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
      const note = document.createElement("p");
      note.style.height = "52px";
      document.querySelector("#text")?.insertAdjacentElement("beforebegin", note);
      dispatchEvent(new Event("pagehide"));
      note.remove();
    });
    expect(await readSaved(page)).toContain(encodeURIComponent("Paragraph 44."));
    await readTo(page, 40);

    await page.keyboard.press("t");
    for (let size = 20; size <= 25; size += 1) {
      await page.getByRole("button", { name: "Larger text" }).click();
    }
    await expectFirst(page, 40);
    await page.getByLabel("Font", { exact: true }).selectOption("opendyslexic");
    await page.getByRole("radio", { name: "Narrow" }).check();
    await expectFirst(page, 40);
    await page.setViewportSize({ width: 500, height: 900 });
    await expectFirst(page, 40);
    await page.reload();
    await expectFirst(page, 40);
    await page.setViewportSize({ width: 900, height: 500 });
    await expectFirst(page, 40);
    await leave(page);
    await page.goto(LONG_PATH);
    await expectFirst(page, 40);

    await leave(page);
    const text = LONG.text
      .replace("Paragraph 3.", "A whole new paragraph.\n\nAnd another.\n\nParagraph three.")
      .replace(/Paragraph 7\.[^\n]*\n\n/, "");
    await publishStory(app.firebase.hosts, { ...LONG, text });
    await page.goto(LONG_PATH);
    await expect(page.getByText("And another.")).toBeAttached();
    await expectFirst(page, 40);
  });

  test("keeps the line inside a paragraph that is read from right to left", async ({
    page,
    app,
  }) => {
    const text = Array(8).fill("הגאות עלתה שוב בלילה, ואיש לא ראה אותה. ".repeat(40)).join("\n\n");
    await publishStory(app.firebase.hosts, { ...LONG, language: "he", text });
    await page.goto(LONG_PATH);
    const paragraph = page.locator("#text p").nth(3);
    const getTop = () => paragraph.evaluate((element) => element.getBoundingClientRect().top);
    const lineHeight = await paragraph.evaluate((element) => {
      const { lineHeight } = getComputedStyle(element);
      const { scrollPaddingTop } = getComputedStyle(document.documentElement);
      const { top } = element.getBoundingClientRect();
      scrollBy(0, top - parseFloat(scrollPaddingTop) + 3 * parseFloat(lineHeight));
      return parseFloat(lineHeight);
    });
    const top = await getTop();
    await expectTracking(page);
    await leave(page);

    await page.goto(LONG_PATH);

    await expect.poll(async () => Math.abs((await getTop()) - top)).toBeLessThan(lineHeight / 2);
  });

  test("saves the position in a browser that fires no scrollend event", async ({ page, app }) => {
    await page.addInitScript(() => {
      addEventListener("scrollend", (event) => event.stopImmediatePropagation(), { capture: true });
    });
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(LONG_PATH);
    // The first scroll loads the script, which saves where the page is then.
    await readTo(page, 40);
    await readTo(page, 60);
  });

  test("saves no position for a linked or searched passage until the user reads on", async ({
    page,
    app,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(getParagraphPath(40));
    await expectFirst(page, 40);
    // Scrolls only a little, to see the text around the passage.
    await scroll(page, 100);

    await expect(page.getByText(/^Ana · \d+ min$/)).toBeVisible();
    expect(await leave(page)).toBeUndefined();
    await page.goto("/home");
    await expect(page.getByRole("region", { name: "Continue reading" })).toBeHidden();

    await page.goto(getParagraphPath(40));
    for (let count = 0; count < 4; count += 1) await scroll(page, 400);
    expect(await leave(page)).toMatch(/Paragraph%205\d/);

    await test.step("keeps the position during a search in the page, and continues from Home", async () => {
      await page.goto(LONG_PATH);
      await expectTracking(page);
      await readTo(page, 10);
      await page.keyboard.press("Control+f");
      await search(page, "Paragraph 60.");
      await scroll(page, 100);
      expect(await leave(page)).toContain("Paragraph%2010.");
      await page.goto(LONG_PATH);
      await expectFirst(page, 10);

      await expectTracking(page);
      await readTo(page, 40);
      const percent = await page.getByText(/^Ana · \d+ min · \d+%/).textContent();
      await page.evaluate(() => void (document.body.dataset.same = ""));
      await page.getByRole("link", { name: "Inkglade" }).click();
      const strip = page.getByRole("region", { name: "Continue reading" });
      await expect(strip.getByRole("listitem").first()).toContainText(
        /\d+%/.exec(percent ?? "")?.[0] ?? "no percent",
      );
      await strip.getByRole("link", { name: LONG.title }).click();
      await expect(page).toHaveTitle(`${LONG.title} · Inkglade`);
      await expectFirst(page, 40);
      await expect(page.locator("body")).toHaveAttribute("data-same");
    });
  });

  test("keeps the position, and links back to it, after Tab, a visit to the room or a quote", async ({
    page,
    app,
    person,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await using sender = await signInSender(app, person);
    await sender.send(`“Paragraph 2.”\n${getParagraphPath(2)}`);
    await sender.send(`“Paragraph 60.”\n${getParagraphPath(60)}`);

    await test.step("keeps it when Tab scrolls to a link at the other end of the story", async () => {
      await openAs(page, person, LONG_PATH);
      await readTo(page, 40);
      const percent = (await page.getByText(/^Ana · \d+ min · \d+%/).textContent()) ?? "";

      // As if Tab had reached what follows the story.
      const end = page.getByRole("region", { name: "After the story" });
      const first = end.locator("a, button").first();
      await first.evaluate((control) => control.focus({ preventScroll: true }));
      await page.keyboard.press("Shift+Tab");
      await expect(page.locator("#text [data-mark]:focus")).toBeInViewport();

      await expect(page.getByRole("link", { name: /^Back to where you were/ })).toHaveText(
        `Back to where you were (${/\d+%/.exec(percent)?.[0]})`,
      );
      expect(await leave(page)).toContain("Paragraph%2040.");
      await page.goto(LONG_PATH);
      await expectFirst(page, 40);
    });

    // Only narrow pages have a link to the room at their top.
    await page.setViewportSize({ width: 360, height: 800 });
    await page.reload();
    await expectTracking(page);
    await readTo(page, 10);
    const byline = page.getByText(/^Ana · \d+ min · /);
    const percent = (await byline.textContent()) ?? "";

    // Brings back the bar, which hides while the user reads on.
    await getParagraph(page, 11).click();
    await page.getByRole("link", { name: /^Room/ }).click();
    await expect(page.getByRole("log")).toBeInViewport();
    await expect(byline).toHaveText(percent);
    await leave(page);
    await page.goto(LONG_PATH);
    await expectFirst(page, 10);

    await getParagraph(page, 11).click();
    await page.getByRole("link", { name: /^Room/ }).click();
    await page.getByRole("link", { name: "“Paragraph 60.”" }).click();
    await expectFirst(page, 60);
    await scroll(page, 100);
    await expect(byline).toHaveText(percent);
    const back = page.getByRole("link", { name: /^Back to where you were \(\d+%\)$/ });
    await expect(back).toBeVisible();
    await expectAccessible(page, { within: "[data-banners]" });

    await back.click();
    await expectFirst(page, 10);
    await expect(back).toBeHidden();
    await scroll(page, 300);
    expect(await leave(page)).toMatch(/Paragraph%201\d/);
  });

  test("resumes at an address that leads to the room, or to a passage that was corrected since", async ({
    page,
    app,
    person,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await using sender = await signInSender(app, person);
    await sender.send(`“Paragraph zero.”\n${LONG_PATH}#p-gone`);
    await openAs(page, person, LONG_PATH);
    await readTo(page, 40);
    const back = page.getByRole("link", { name: /^Back to where you were/ });
    for (const hash of ["#p-gone", "#m-a-message-0123456789", "#room"]) {
      await leave(page);
      await page.goto(`${LONG_PATH}${hash}`);
      await expectTracking(page);
      await expectFirst(page, 40);
      await scroll(page, 10);
      await expect(back).toBeHidden();
    }

    await test.step("on the same page, the link to such a passage keeps the position", async () => {
      await page.getByRole("link", { name: "“Paragraph zero.”" }).click();
      await expect(back).toBeVisible();
      await scroll(page, 500);
      expect(await leave(page)).toContain("Paragraph%2040.");
    });

    await test.step("but not at the end, where the forms after the story return to", async () => {
      await page.goto(`${LONG_PATH}#end`);
      await expectTracking(page);
      await expect(page.getByRole("region", { name: "After the story" })).toBeInViewport();
    });
  });

  test("a reader who has finished continues there once a chapter is added", async ({
    page,
    app,
    person,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await openAs(page, person, LONG_PATH);
    await expect(page.getByRole("heading", { name: LONG.title })).toBeVisible();
    const paragraphs = page.locator("#text p");
    const last = await paragraphs.last().textContent();
    const saved = page.waitForResponse((response) => response.url().endsWith("/reading-positions"));
    // Sections that come into view may be higher or lower than the browser estimated.
    await expect(async () => {
      await page.locator(":has(> #text)").evaluate((root) => root.scrollIntoView(false));
      await expect(page.getByText(/^Ana · \d+ min · 100%$/)).toBeVisible({ timeout: 1000 });
    }).toPass();
    await saved;
    expect(decodeURIComponent((await leave(page)) ?? "")).toContain(last?.slice(0, 40));

    const text = `${LONG.text}## Another part\n\n${"It rained on. ".repeat(300)}`;
    const updatedAt = new Date(Date.now() + 60_000).toISOString();
    await publishStory(app.firebase.hosts, { ...LONG, text, updatedAt });
    // Another device.
    await page.context().clearCookies({ name: "places" });
    await page.goto(LONG_PATH);

    await expectAtTop(page.getByText(last ?? "", { exact: true }));
    await expect(page.getByRole("link", { name: /^Continue at \d\d%$/ })).toBeAttached();
    await expect(page.getByText("100%")).toBeHidden();
  });

  test("shows a correction without moving the first visible line", async ({ page, app }) => {
    await page.clock.install();
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(LONG_PATH);
    await readTo(page, 40);
    await scroll(page, 20);
    const line = getParagraph(page, 42);
    const top = await getTop(line);

    const text = LONG.text.replace("Paragraph 3.", "New.\n\nAnd another.\n\nParagraph three.");
    await publishStory(app.firebase.hosts, { ...LONG, text, updatedAt: "2026-02-01T00:00:00Z" });
    await comeBack(page);
    await expect(page.getByText("And another.")).toBeAttached();
    expect(Math.abs((await getTop(line)) - top)).toBeLessThan(1);

    const changed = text.replace("Paragraph 42.", "Paragraph forty-two.");
    const updatedAt = "2026-03-01T00:00:00Z";
    await publishStory(app.firebase.hosts, { ...LONG, text: changed, updatedAt });
    await comeBack(page);
    const update = page.getByRole("button", { name: "Show the changes" });
    await expect(update).toBeVisible();
    expect(Math.abs((await getTop(line)) - top)).toBeLessThan(1);
    await update.click();
    await expect(page.getByText("Paragraph forty-two.")).toBeInViewport();
    await expect(update).toBeHidden();
  });

  test("keeps the position when the text is corrected during a search in the page", async ({
    page,
    app,
  }) => {
    await page.clock.install();
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(LONG_PATH);
    await readTo(page, 10);
    await page.keyboard.press("Control+f");
    await search(page, "Paragraph 60.");
    // The browser's search selects nothing while its field is open.
    await page.evaluate(() => getSelection()?.removeAllRanges());

    const text = LONG.text.replace("Paragraph 3.", "Paragraph three.");
    await publishStory(app.firebase.hosts, { ...LONG, text, updatedAt: "2026-02-01T00:00:00Z" });
    await comeBack(page);
    await expect(page.getByText("Paragraph three.")).toBeAttached();
    await expectTracking(page);
    await expect(page.getByRole("link", { name: /^Back to where you were/ })).toBeVisible();

    expect(await leave(page)).toContain("Paragraph%2010.");
  });

  test("finishes a story that is shorter than the window", async ({ page, app }) => {
    const text = "The tide came in.\n\nThe tide went out.";
    await publishStory(app.firebase.hosts, { ...LONG, text });
    await page.setViewportSize({ width: 900, height: 1000 });
    await page.goto(LONG_PATH);

    await page.mouse.wheel(0, 20);

    await expect(page.getByText(/^Ana · \d+ min · 100%$/)).toBeVisible();
    expect(await leave(page)).toContain("The%20tide%20went%20out.");
  });

  test("continues on another device of the same user, or offers the furthest position", async ({
    page,
    app,
    person,
    browser,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, LONG_PATH);
    const saved = phone.waitForResponse((response) =>
      response.url().endsWith("/reading-positions"),
    );
    await readTo(phone, 40);
    const sent = new URLSearchParams((await saved).request().postData() ?? "");
    expect(sent.get("uid")).toBe(person.localId);

    await openAs(page, person, LONG_PATH);
    await expectFirst(page, 40);

    await leave(page);
    await page.context().clearCookies();
    await page.goto(LONG_PATH);
    await readTo(page, 10);
    await openAs(page, person, LONG_PATH);
    await expectFirst(page, 10);
    await page
      .getByRole("link", { name: /^Go to your furthest reading position \(\d+%\)$/ })
      .click();
    await expectFirst(page, 40);
  });

  test("offers the further position of another device as soon as it is saved", async ({
    page,
    app,
    person,
    browser,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, LONG_PATH);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await openAs(page, person, LONG_PATH);
    await readTo(page, 10);
    expect(asked.filter((url) => !url.startsWith(app.url))).toEqual([]);
    const offer = page.getByRole("link", { name: "You're further ahead on another device" });

    const live = page.waitForRequest(/\/Listen\/channel/);
    await page.keyboard.press("Shift");
    await live;
    await readTo(phone, 40);
    await expect(offer).toBeVisible();
    await expectFirst(page, 10);
    await expectAccessible(page, { within: "[data-banners]" });
    await offer.click();
    await expectFirst(page, 40);
    await expect(offer).toBeHidden();

    // A newly opened page sends its position at once.
    await phone.reload();
    // Until the script that tracks the position has loaded, a scroll without input leads back to the saved position.
    await expectTracking(phone);
    await readTo(phone, 70);
    await expect(offer).toBeVisible();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(offer).toBeHidden();
    await expectFirst(page, 40);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("saves the position with a button in the text, and shows it on Home and in the story", async ({
    page,
    app,
  }) => {
    await publishStory(app.firebase.hosts, LONG);
    await page.goto(LONG_PATH);

    await page.getByRole("button", { name: "Save my reading position here" }).nth(2).click();

    await expect(page).toHaveURL(/#p-/);
    const [, passage = ""] = page.url().split("#");
    await expect(page.locator(`[id="${passage}"]`)).toBeInViewport();
    await page.goto("/home");
    const strip = page.getByRole("region", { name: "Continue reading" });
    await expect(strip.getByRole("listitem").first()).toContainText(/\d+% · \d+ min left/);
    await strip.getByRole("link", { name: LONG.title }).click();
    await page.getByRole("link", { name: /^Continue at \d+%$/ }).click();
    await expect(page.locator(`[id="${passage}"]`)).toBeInViewport();
  });
});

/** Turns the mouse wheel over the text, and waits until the page has scrolled. */
async function scroll(page: Page, distance: number) {
  await page.mouse.move(300, 300);
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, distance);
  // Sections that come into view may be higher or lower than the browser estimated.
  await expect
    .poll(async () => Math.abs((await page.evaluate(() => scrollY)) - before))
    .toBeGreaterThan(distance / 2);
  await waitForFrames(page);
}

function getTop(paragraph: Locator): Promise<number> {
  return paragraph.evaluate((element) => element.getBoundingClientRect().top);
}

/** Finds words as the browser's search does. */
async function search(page: Page, words: string) {
  await page.evaluate(
    (found) => Reflect.apply(Reflect.get(window, "find"), window, [found]),
    words,
  );
  await expect(page.locator("#text").getByText(words)).toBeInViewport();
}

/** Leaves the tab for a minute, and returns to it. */
async function comeBack(page: Page) {
  for (const state of ["hidden", "visible"]) {
    await page.evaluate((visibilityState) => {
      Object.defineProperty(document, "visibilityState", {
        configurable: true,
        value: visibilityState,
      });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, state);
    if (state === "hidden") await page.clock.fastForward("01:00");
  }
}

/** Leaves the story for a page without scripts, and returns the cookie of positions. */
async function leave(page: Page): Promise<string | undefined> {
  await page.goto("/favicon.svg");
  return readSaved(page);
}

/** Returns the cookie with the positions that are saved on the device. */
async function readSaved(page: Page): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === "places")?.value;
}

/** Scrolls a paragraph to the top, and waits until the position is saved on the device. */
async function readTo(page: Page, number: number) {
  await getParagraph(page, number).evaluate((paragraph) => paragraph.scrollIntoView());
  await expect.poll(() => readSaved(page)).toContain(encodeURIComponent(`Paragraph ${number}.`));
}

/** Expects a paragraph at the top of the window, where links scroll to. */
async function expectFirst(page: Page, number: number) {
  await expectAtTop(getParagraph(page, number));
}
