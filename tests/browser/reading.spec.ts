import type { Page } from "@playwright/test";

import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAlive, openAlive } from "./alive.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs, signIn } from "./sign-in.ts";

const ORCHARD = "/read/the-lamplighters-orchard";
const LONG = { id: "a-map-of-the-rain-0123456789", title: "A Map of the Rain" };
const LONG_PATH = `/read/${LONG.id}`;
const PAPERS = ["paper", "white", "sepia", "mist", "dusk", "night", "contrast"];

/** More than one window, in whatever size. */
const LONG_LENGTH = 30_000;

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true, contextOptions: { reducedMotion: "reduce" } });
  describeReading();

  test("a place survives another size, another window and a reload, to the line", async ({
    page,
    app,
  }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await page.goto(LONG_PATH);
    await readTo(page, 40);

    await setType(page, "Size", "25");
    await expectFirst(page, 40);
    await setType(page, "Font", "opendyslexic");
    await setType(page, "Width", "30");
    await expectFirst(page, 40);
    await page.setViewportSize({ width: 500, height: 900 });
    await expectFirst(page, 40);
    await page.reload();
    await expectFirst(page, 40);
    await page.setViewportSize({ width: 900, height: 500 });
    await expectFirst(page, 40);
    await page.goto("/login");
    await page.goto(LONG_PATH);
    await expectFirst(page, 40);
  });

  test("a place survives what its author changes before it", async ({ page, app }) => {
    const text = makeLongText(LONG_LENGTH);
    await publishStory(app.firebase.hosts, { ...LONG, text });
    await page.goto(LONG_PATH);
    await readTo(page, 40);
    await page.goto("/home");

    const edited = text
      .replace("Paragraph 3.", "A whole new paragraph.\n\nAnd another.\n\nParagraph three.")
      .replace(/Paragraph 7\.[^\n]*\n\n/, "");
    await publishStory(app.firebase.hosts, { ...LONG, text: edited });
    await page.goto(LONG_PATH);

    await expectFirst(page, 40);
  });

  test("Home continues what is begun, without loading the page anew", async ({ page, app }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await page.goto(LONG_PATH);
    await readTo(page, 40);
    const percent = await page.getByText(/^Ana · \d+ min · \d+ %/).textContent();
    await page.getByRole("link", { name: "Inkglade" }).click();

    const strip = page.getByRole("region", { name: "Continue reading" });
    await expect(strip.getByRole("listitem").first()).toContainText(
      /\d+ %/.exec(percent ?? "")?.[0] ?? "no percent",
    );
    await strip.getByRole("link", { name: LONG.title }).click();
    await expect(page).toHaveTitle(`${LONG.title} · Inkglade`);
    await expectFirst(page, 40);
  });

  test("a place goes along to another device of the same person", async ({
    page,
    app,
    person,
    browser,
  }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await openAs(page, person, LONG_PATH);
    const kept = page.waitForResponse((response) => response.url().endsWith("/places"));
    await readTo(page, 40);
    await kept;

    const other = await browser.newPage({ baseURL: app.url });
    await signIn(other, person);
    await expect(other).toHaveURL("/profile");
    await other.goto(LONG_PATH);
    await expectFirst(other, 40);
    await other.close();
  });

  test("whoever was further on another device is asked, and stays where they are", async ({
    page,
    app,
    person,
    browser,
  }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, LONG_PATH);
    const kept = phone.waitForResponse((response) => response.url().endsWith("/places"));
    await readTo(phone, 40);
    await kept;
    await page.goto(LONG_PATH);
    await readTo(page, 10);

    await openAs(page, person, LONG_PATH);
    await expectFirst(page, 10);
    await page.getByRole("link", { name: /^Go to the further place\? \(\d+ %\)$/ }).click();
    await expectFirst(page, 40);
  });

  test("whoever gets further on another device is offered to continue there, live", async ({
    page,
    app,
    person,
    browser,
  }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await using elsewhere = await browser.newContext({ baseURL: app.url });
    const phone = await elsewhere.newPage();
    await openAs(phone, person, LONG_PATH);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await openAs(page, person, LONG_PATH);
    await readTo(page, 10);
    expect(asked.filter((url) => !url.startsWith(app.url))).toEqual([]);
    const offer = page.getByRole("link", { name: "You are further on another device" });

    const live = page.waitForRequest(/\/Listen\/channel/);
    await page.keyboard.press("Shift");
    await live;
    await readTo(phone, 40);
    await expect(offer).toBeVisible();
    await expectFirst(page, 10);
    await expectAccessible(page);
    await offer.click();
    await expectFirst(page, 40);
    await expect(offer).toBeHidden();

    // A page that has just been opened tells its place at once.
    await phone.reload();
    await readTo(phone, 70);
    await expect(offer).toBeVisible();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(offer).toBeHidden();
    await expectFirst(page, 40);
  });

  test("the keys of the page do what the list says, and nothing in a field", async ({
    page,
    app,
  }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await openAlive(page, LONG_PATH);
    const sheet = page.getByLabel("Line height");
    const help = page.getByText("type settings", { exact: true });

    await page.keyboard.press("t");
    await expect(sheet).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await page.keyboard.press("?");
    await expect(help).toBeVisible();
    await page.keyboard.press("Control+t");
    await expect(sheet).toBeHidden();

    for (let part = 1; part <= 3; part += 1) await page.keyboard.press("ArrowRight");
    await expect.poll(() => topOf(page, "Part 3")).toBeLessThan(100);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => topOf(page, "Part 2")).toBeGreaterThan(0);

    await page.keyboard.press("t");
    await page.getByLabel("Single keys (t, ?)").selectOption("off");
    await page.getByText("Keys", { exact: true }).focus();
    await page.keyboard.press("t");
    await expect(sheet).toBeVisible();
    await expect(help).toBeHidden();
  });

  test("after the last part comes the next story", async ({ page }) => {
    await openAlive(page, ORCHARD);

    await page.keyboard.press("ArrowRight");

    await expect(page).toHaveTitle("Salt for the Clockmaker · Inkglade");
    await expect(page.getByRole("article")).toContainText("The tide had been coming in");
    await page.goBack();
    await expect(page.getByRole("article")).toContainText("There were four hundred lamps");
  });

  test("words go to the room, and lead back to where they stand", async ({ page, app, person }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await openAs(page, person, LONG_PATH);
    await expectAlive(page);

    await paragraphOf(page, 40).evaluate((paragraph) => {
      paragraph.scrollIntoView();
      const range = document.createRange();
      range.setStart(paragraph.firstChild ?? paragraph, 0);
      range.setEnd(paragraph.firstChild ?? paragraph, 20);
      getSelection()?.addRange(range);
    });
    await page.getByRole("button", { name: "Quote in the room" }).click();
    const field = page.getByRole("textbox", { name: "Message" });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(
      /^“Paragraph 40\. Nobody”\n\/read\/a-map-of-the-rain-0123456789#p-/,
    );
    await page.keyboard.type("t, or rain?");
    await page.getByRole("button", { name: "Send" }).click();

    const bubble = page.getByRole("log").getByRole("article").last();
    await expect(bubble).toContainText("t, or rain?");
    await bubble.getByRole("link", { name: "“Paragraph 40. Nobody”" }).click();
    await expect(paragraphOf(page, 40)).toBeFocused();
    await expect(paragraphOf(page, 40)).toBeInViewport();

    await page.goto("/home#room");
    await page.getByRole("link", { name: "“Paragraph 40. Nobody”" }).click();
    await expect(paragraphOf(page, 40)).toBeFocused();
    await expect(paragraphOf(page, 40)).toBeInViewport();
  });

  test("a hostile story does nothing", async ({ page, app }) => {
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
    await openAlive(page, LONG_PATH);

    await expect(page.getByText("After.")).toBeVisible();
    await expect(
      page.getByRole("article").getByRole("link", { name: "x", exact: true }),
    ).toHaveCount(0);
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  });

  test("even markup that got into a page would run nothing", async ({ page, allowError }) => {
    allowError(/Content Security Policy/);
    await page.goto(ORCHARD);

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

  test("every paper can be read", async ({ page }) => {
    test.slow();
    await openAlive(page, ORCHARD);
    await page.getByText("Type settings", { exact: true }).click();
    await page.getByText("Keys", { exact: true }).click();
    for (const paper of PAPERS) {
      await page.getByLabel("Paper").selectOption(paper);
      await expectAccessible(page);
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeReading();

  test("a place is kept by a button in the text, and shown on Home and in the story", async ({
    page,
    app,
  }) => {
    await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(LONG_LENGTH) });
    await page.goto(LONG_PATH);

    await page.getByRole("button", { name: "Keep my place here" }).nth(2).click();

    await expect(page).toHaveURL(/#p-/);
    const [, passage = ""] = page.url().split("#");
    await expect(page.locator(`[id="${passage}"]`)).toBeInViewport();
    await page.goto("/home");
    const strip = page.getByRole("region", { name: "Continue reading" });
    await expect(strip.getByRole("listitem").first()).toContainText(/\d+ % · \d+ min left/);
    await strip.getByRole("link", { name: LONG.title }).click();
    await page.getByRole("link", { name: /^Continue at \d+ %$/ }).click();
    await expect(page.locator(`[id="${passage}"]`)).toBeInViewport();
  });
});

function describeReading() {
  test("a story has the line, its title, its author, its minutes and its text", async ({
    page,
  }) => {
    await page.goto(ORCHARD);

    await expect(page).toHaveTitle("The Lamplighter's Orchard · Inkglade");
    expect((await page.getByRole("main").innerText()).startsWith("reading-page works!")).toBe(true);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Lamplighter's Orchard");
    await expect(page.getByText(/^Inkglade Editors · 1 min/)).toBeVisible();
    await expect(page.getByText("An opening: the first page of a story.")).toBeVisible();
    await expect(page.getByRole("article")).toContainText("Light them before they ask.");
  });

  test("an id that nothing is published under has the line alone", async ({ page }) => {
    await page.goto("/read/anything");

    await expect(page.getByRole("heading", { name: "reading-page works!" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(0);
    await expect(page.getByText("The room", { exact: true })).toBeVisible();
  });

  test("settings are there at the first paint of the next page", async ({
    page,
    javaScriptEnabled,
  }) => {
    await page.goto(ORCHARD);
    if (javaScriptEnabled === true) await expectAlive(page);
    await page.getByText("Type settings", { exact: true }).click();
    await page.getByLabel("Paper").selectOption("sepia");
    await page.getByLabel("Size").selectOption("22");
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Use these settings" }).click();
    await expectType(page);

    const html = await (await page.request.get("/read/the-understudy-moon")).text();
    expect(html).toMatch(/data-paper="sepia"[^>]*--read-size:1\.375rem/);
    await page.reload();
    await expectType(page);
  });

  test("a story can be taken away", async ({ page }) => {
    await page.goto(ORCHARD);
    const download = page.waitForEvent("download");

    await page.getByRole("link", { name: "Markdown" }).click();

    expect((await download).suggestedFilename()).toBe("the-lamplighters-orchard.md");
  });

  test("one story leads to the next", async ({ page }) => {
    await page.goto(ORCHARD);

    await page.getByRole("link", { name: "Next: Salt for the Clockmaker" }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Salt for the Clockmaker");
    await expect(
      page.getByRole("link", { name: "Previous: The Lamplighter's Orchard" }),
    ).toBeVisible();
  });

  test("after the openings come the stories of writers", async ({ page, app }) => {
    const newest = { id: "the-salt-road-0000000009", title: "The Salt Road", text: "It began." };
    await publishStory(app.firebase.hosts, { ...newest, publishedAt: "2099-01-01T00:00:00Z" });
    await page.goto("/read/the-understudy-moon");

    await page.getByRole("link", { name: "Next story" }).click();
    await expect(page).toHaveURL(`/read/${newest.id}`);
    await page.getByRole("link", { name: "Previous story" }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Understudy Moon");
  });
}

async function expectType(page: Page) {
  await expect(page.locator("#text")).toHaveCSS("font-size", "22px");
  await expect(page.locator("[data-paper]")).toHaveCSS("background-color", "rgb(244, 236, 216)");
}

/** Scrolls so that this paragraph is the first one, and waits until the device has kept it. */
async function readTo(page: Page, number: number) {
  await expectAlive(page);
  await paragraphOf(page, number).evaluate((paragraph) => paragraph.scrollIntoView());
  await expect
    .poll(async () => (await page.context().cookies()).find(({ name }) => name === "places")?.value)
    .toContain(encodeURIComponent(`Paragraph ${number}.`));
}

/** Expects the paragraph to be the first that can be seen whole, at the place where links put one. */
async function expectFirst(page: Page, number: number) {
  await expect
    .poll(() =>
      paragraphOf(page, number).evaluate((paragraph) => {
        const { scrollPaddingTop } = getComputedStyle(document.documentElement);
        return Math.abs(paragraph.getBoundingClientRect().top - parseFloat(scrollPaddingTop));
      }),
    )
    .toBeLessThan(3);
}

async function setType(page: Page, label: string, value: string) {
  const field = page.getByLabel(label, { exact: true });
  if (!(await field.isVisible())) await page.keyboard.press("t");
  await field.selectOption(value);
}

function topOf(page: Page, heading: string): Promise<number> {
  return page
    .getByRole("heading", { name: heading, exact: true })
    .evaluate((element) => element.getBoundingClientRect().top);
}

function paragraphOf(page: Page, number: number) {
  return page.locator("#text").getByText(`Paragraph ${number}.`);
}
