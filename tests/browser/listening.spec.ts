import type { Page } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { endUtterance, fakeSpeech, getSpokenWords, getUtterances } from "./fake-speech.ts";
import { expect, test } from "./fixtures.ts";
import { getParagraph, LONG, LONG_PATH } from "./long-story.ts";
import { expectAtTop, waitForFrames } from "./reader.ts";
import { openAs } from "./sign-in.ts";

const ORCHARD = "/read/the-lamplighters-orchard";

/** A voice that speaks until a test ends its utterance. */
const PATIENT = { speed: Infinity };

/** Sentences of many lengths, the longest of more than a minute. */
const SENTENCES = [
  "It rained.",
  "“Stop!” said Mr. J. R. Gray, who had come in from the garden with a lamp in each hand.",
  `She counted ${"the lamps in the orchard, and the trees under them, ".repeat(12)}and slept.`,
  `${"Nobody asked and nobody answered and ".repeat(20)}that was all.`,
  "1984 was a year of 365 days; 1985 was another.",
];

const THOUSANDS = {
  id: "two-thousand-words-0123456789",
  title: "Two Thousand Words",
  text: Array.from({ length: 8 }, (_, at) => `## Night ${at}\n\n${SENTENCES.join(" ")}\n\n`).join(
    "",
  ),
};

// Without scripts there is no button: tests/browser/reading.spec.ts.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test("a voice that is killed after 14 seconds reads 2,000 words through, each once and in order", async ({
  page,
  app,
}) => {
  await page.clock.install();
  await fakeSpeech(page);
  await page.addInitScript(() => localStorage.setItem("inkglade.listening", '{"rate":2}'));
  await publishStory(app.firebase.hosts, THOUSANDS);
  await page.goto(`/read/${THOUSANDS.id}`);
  const paragraphs = await page.locator("#text [id^=p-]").allTextContents();
  const words = paragraphs.flatMap((paragraph) => paragraph.split(/\s+/));
  expect(words.length).toBeGreaterThan(2000);
  const listenUntil = (text: string) =>
    expect(async () => {
      await page.clock.runFor("00:30");
      expect(await page.getByText(text).isVisible()).toBe(true);
    }).toPass();
  await listen(page);

  await test.step("the sleep timer stops at the end of the chapter", async () => {
    await page.getByLabel("Sleep timer").selectOption("End of chapter");
    await listenUntil("Stopped by the sleep timer.");
    expect(await getHighlighted(page)).toMatch(/^Night [1-5]$/);
    await expect(page.getByLabel("Sleep timer")).toHaveValue("");
  });

  await page.getByRole("button", { name: "Play", exact: true }).click();
  await listenUntil("End of the story.");
  expect(await getSpokenWords(page)).toEqual(words);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await expect(findPercent(page)).toContainText("100%");
});

test("highlights and follows the sentence until the user scrolls, and repeats it after a pause", async ({
  page,
  app,
}) => {
  await openLong(page, app.firebase.hosts);
  await listen(page);
  await expect.poll(() => getHighlighted(page)).toBe("Part 1");
  await endUtterance(page);
  await expect.poll(() => getHighlighted(page)).toBe("Paragraph 2. ");

  await page.getByRole("button", { name: "Choose paragraph" }).click();
  await getParagraph(page, 9).click();
  await expect.poll(() => getHighlighted(page)).toBe("Paragraph 9. ");
  await expect(getParagraph(page, 16)).not.toBeInViewport();
  await page.getByRole("button", { name: "Next sentence" }).focus();
  for (let press = 1; press <= 28; press += 1) await page.keyboard.press("Enter");
  await expect.poll(() => getHighlighted(page)).toBe("Paragraph 16. ");
  await expectSpokenInView(page);
  const back = page.getByRole("button", { name: "Back to the voice" });
  await expect(back).toHaveCount(0);

  await page.mouse.move(600, 300);
  await page.mouse.wheel(0, 4000);
  await expect(back).toBeVisible();
  await expect(getParagraph(page, 16)).not.toBeInViewport();
  const y = await page.evaluate(() => scrollY);
  await endUtterance(page);
  await expect.poll(() => getHighlighted(page)).toContain("Nobody asks");
  expect(await page.evaluate(() => scrollY)).toBe(y);

  await back.click();
  await expect(back).toHaveCount(0);
  await expectSpokenInView(page);

  await test.step("Pause stops the voice, and Play repeats the sentence", async () => {
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await expect.poll(() => isSpeaking(page)).toBe(false);
    const before = (await getUtterances(page)).map(({ text }) => text);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(() => isSpeaking(page)).toBe(true);
    const texts = (await getUtterances(page)).map(({ text }) => text);
    expect(texts).toEqual([...before, before.at(-1)]);
  });
});

test("begins with the selected sentence, the first one in view or a chosen paragraph", async ({
  page,
  app,
}) => {
  await openLong(page, app.firebase.hosts);
  await select(page, 3, "They buy");
  await page.getByRole("button", { name: "Listen", exact: true }).click();
  await expect.poll(() => getHighlighted(page)).toContain("They buy good boots");
  await page.getByRole("button", { name: "Listen", exact: true }).click();
  await expect(findPlayer(page)).toHaveCount(0);

  await page.evaluate(() => getSelection()?.empty());
  await getParagraph(page, 30).evaluate((paragraph) => paragraph.scrollIntoView());
  await listen(page);
  await expect.poll(() => getHighlighted(page)).toBe("Paragraph 30. ");
  await page.getByRole("button", { name: "Stop listening" }).click();
  await expect.poll(() => isSpeaking(page)).toBe(false);
  expect(await getHighlighted(page)).toBe(null);

  await select(page, 32, "first month");
  await listen(page);
  await expect.poll(() => getHighlighted(page)).toContain("In the first month people");
  await select(page, 33, "They buy");
  await page.getByRole("button", { name: "Listen from selection" }).click();
  await expect.poll(() => getHighlighted(page)).toContain("They buy good boots");
  await expect.poll(() => isSpeaking(page)).toBe(true);
  await stopListening(page);
  await page.evaluate(() => getSelection()?.empty());

  await test.step("the keyboard chooses any paragraph, and Escape leaves the voice where it is", async () => {
    await getParagraph(page, 30).evaluate((paragraph) => paragraph.scrollIntoView());
    await page.getByRole("button", { name: "Listen", exact: true }).press("Enter");
    const pause = page.getByRole("button", { name: "Pause", exact: true });
    await expect(pause).toBeFocused();
    const choose = page.getByRole("button", { name: "Choose paragraph" });
    await choose.press("Enter");
    await expect(page.getByText("Press a paragraph, or choose one")).toBeVisible();
    await expect(getParagraph(page, 30)).toBeFocused();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown"]) {
      await page.keyboard.press(key);
    }
    await expect(getParagraph(page, 32)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(() => getHighlighted(page)).toBe("Paragraph 32. ");
    await expect(pause).toBeFocused();
    await expect(getParagraph(page, 32)).not.toHaveAttribute("tabindex");

    await choose.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    await expect(pause).toBeFocused();
    expect(await getHighlighted(page)).toBe("Paragraph 32. ");
  });
});

test("a browser that can't highlight words highlights the paragraph", async ({ page, app }) => {
  await page.addInitScript(() => Reflect.deleteProperty(CSS, "highlights"));
  await openLong(page, app.firebase.hosts);
  await listen(page);
  await expect(page.locator("[data-spoken]")).toHaveText("Part 1");
  await page.getByRole("button", { name: "Next sentence" }).click();
  await expect(page.locator("[data-spoken]")).toContainText("Paragraph 2.");
  await page.getByRole("button", { name: "Listen", exact: true }).click();
  await expect(page.locator("[data-spoken]")).toHaveCount(0);
});

test("voice, speed and keys of all kinds control what is read, until the user leaves the story", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const handlers: Record<string, unknown> = {};
    Object.assign(window, { handlers });
    navigator.mediaSession.setActionHandler = (action, handler) => {
      handlers[action] = handler;
    };
  });
  await fakeSpeech(page, PATIENT);
  await page.goto(ORCHARD);

  await test.step("speed and voice are remembered, and the text's language chooses the voice", async () => {
    await page.evaluate(() => localStorage.setItem("inkglade.listening", '{"rate":"fast"}'));
    await listen(page);
    const voice = page.getByLabel("Voice");
    await expect(voice).toHaveValue("uri:Arthur");
    await expect(page.getByLabel("Speed")).toHaveValue("1");
    await expect(voice.locator("optgroup").first().locator("option")).toHaveText([
      "Arthur (en-GB)",
      "Samantha (en-US)",
    ]);
    await voice.selectOption("uri:Samantha");
    await page.getByLabel("Speed").selectOption("1.5");

    await page.reload();
    await page.evaluate(() => document.querySelector("#text")?.setAttribute("lang", "tr"));
    await listen(page);
    await expect(voice).toHaveValue("uri:Zeynep");
    await page.reload();
    await listen(page);
    await expect(voice).toHaveValue("uri:Samantha");
    await page.getByRole("button", { name: "Next sentence" }).click();
    await expect
      .poll(async () => (await getUtterances(page)).at(-1))
      .toMatchObject({ voice: "Samantha", lang: "en-US", rate: 1.5 });
    await stopListening(page);
  });

  await test.step("media keys play, pause and move by sentence", async () => {
    await listen(page);
    const press = (action: string) =>
      page.evaluate((name) => Reflect.get(Reflect.get(window, "handlers"), name)({}), action);
    const getState = () =>
      page.evaluate(() => [
        navigator.mediaSession.playbackState,
        navigator.mediaSession.metadata?.title,
      ]);
    const first = await getHighlighted(page);
    await press("nexttrack");
    await expect.poll(() => getHighlighted(page)).not.toBe(first);
    await press("previoustrack");
    await expect.poll(() => getHighlighted(page)).toBe(first);
    expect(await getState()).toEqual(["playing", "The Lamplighter's Orchard"]);
    await press("pause");
    await expect.poll(() => isSpeaking(page)).toBe(false);
    expect((await getState())[0]).toBe("paused");
    await press("play");
    await expect.poll(() => isSpeaking(page)).toBe(true);
    await stopListening(page);
  });

  await test.step("l listens, pauses and continues, but not in a field or without single-key shortcuts", async () => {
    await page.getByRole("searchbox", { name: "Search stories" }).press("l");
    await page.locator("#text p").first().click();
    await page.keyboard.press("?");
    await expect(page.getByText("Listen, pause or continue")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(findPlayer(page)).toHaveCount(0);

    await page.keyboard.press("l");
    await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Pause", exact: true })).not.toBeFocused();
    await expect.poll(() => isSpeaking(page)).toBe(true);
    await page.keyboard.press("l");
    await expect.poll(() => isSpeaking(page)).toBe(false);
    await page.keyboard.press("l");
    await expect.poll(() => isSpeaking(page)).toBe(true);

    await page.keyboard.press("t");
    await page
      .getByRole("group", { name: "Single-key shortcuts" })
      .locator("label", { hasText: "Off" })
      .click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("l");
    await waitForFrames(page);
    expect(await isSpeaking(page)).toBe(true);
  });

  await test.step("leaving the page or the story stops the voice", async () => {
    await page.evaluate(() => dispatchEvent(new Event("pagehide")));
    await expect.poll(() => isSpeaking(page)).toBe(false);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(() => isSpeaking(page)).toBe(true);
    await page.getByRole("link", { name: "Inkglade", exact: true }).click();
    await expect(page).toHaveURL("/home");
    await expect.poll(() => isSpeaking(page)).toBe(false);
  });
});

test("the reading position follows the voice, and the voice follows a revision of the text", async ({
  page,
  app,
}) => {
  await page.clock.install();
  await openLong(page, app.firebase.hosts);
  await select(page, 40, "Paragraph 40.");
  await listen(page);
  await expect.poll(() => getHighlighted(page)).toBe("Paragraph 40. ");
  await expect(getParagraph(page, 40)).toBeInViewport();
  await page.mouse.move(600, 300);
  await page.mouse.wheel(0, -3000);
  await expect(page.getByRole("button", { name: "Back to the voice" })).toBeVisible();
  for (let press = 1; press <= 4; press += 1) {
    await endUtterance(page);
    await expect.poll(async () => (await getUtterances(page)).length).toBe(press + 1);
  }
  await expect.poll(() => getHighlighted(page)).toBe("Part 3");
  await page.reload();
  await expectAtTop(page.getByRole("heading", { name: "Part 3" }));

  await test.step("a revision of the text continues with the same sentence", async () => {
    await select(page, 40, "Paragraph 40.");
    await listen(page);
    await expect.poll(() => getHighlighted(page)).toBe("Paragraph 40. ");
    await page.evaluate(() => getSelection()?.empty());
    const text = LONG.text.replace("Paragraph 3.", "New.\n\nAnd another.\n\nParagraph three.");
    await publishStory(app.firebase.hosts, { ...LONG, text, updatedAt: "2026-02-01T00:00:00Z" });
    await comeBack(page);
    await expect(page.getByText("And another.")).toBeAttached();
    await expect.poll(() => getHighlighted(page)).toBe("Paragraph 40. ");
    expect(await getUtterances(page)).toHaveLength(1);
    await page.getByRole("button", { name: "Next sentence" }).click();
    await expect.poll(() => getHighlighted(page)).toContain("Nobody asks for a map");
  });
});

test("a browser without voices says so, and one without speech has no button", async ({ page }) => {
  await page.clock.install();
  await fakeSpeech(page, { voices: [] });
  await page.goto(ORCHARD);
  await listen(page);
  await page.clock.runFor("00:05");
  await expect(page.getByText("This browser has no voices")).toBeVisible();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();

  await page.addInitScript(() => Reflect.deleteProperty(window, "speechSynthesis"));
  await page.goto(ORCHARD);
  await expect(page.locator("summary", { hasText: "Type" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Listen", exact: true })).toHaveCount(0);
  await page.keyboard.press("l");
  await page.keyboard.press("?");
  await expect(page.getByText("Open or close this list")).toBeVisible();
  await expect(page.getByText("Listen, pause or continue")).toHaveCount(0);
});

test("the player is accessible and covers no focused link, in windows of every size", async ({
  page,
  app,
}) => {
  await fakeSpeech(page, PATIENT);
  const text = "[A link](https://example.com) in some words of a paragraph.\n\n".repeat(40);
  await publishStory(app.firebase.hosts, { id: "links-0123456789", title: "Links", text });
  await page.goto("/read/links-0123456789");
  await listen(page);
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 320, height: 256 },
    { width: 1280, height: 800 },
  ]) {
    await test.step(`${viewport.width} × ${viewport.height} pixels`, async () => {
      await page.setViewportSize(viewport);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      const timer = page.getByLabel("Sleep timer");
      if (!(await timer.isVisible())) await page.getByRole("button", { name: "Options" }).click();
      await expect(timer).toBeVisible();
      const sizes = await findPlayer(page)
        .locator("button:visible, select:visible")
        .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect()));
      for (const { width, height } of sizes) {
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      }
      if (viewport.height > 300) {
        await expectAccessible(page, { within: "[aria-label=Player]" });
      }

      const links = page.locator("#text a");
      await links.first().focus();
      for (let press = 1; press <= 12; press += 1) await page.keyboard.press("Tab");
      const focused = links.nth(12);
      await expect(focused).toBeFocused();
      await expect.poll(() => focused.evaluate(isUncovered)).toBe(true);
      const last = page
        .locator("main")
        .locator("a, button, summary")
        .filter({ visible: true })
        .last();
      await last.focus();
      await expect.poll(() => last.evaluate(isUncovered)).toBe(true);
    });
  }
});

test("a signed-in user on a phone has the tool, with room for all others", async ({
  page,
  person,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await fakeSpeech(page, PATIENT);
  await openAs(page, person, "/read/the-ministry-of-quiet-machines");
  const tools = page
    .getByRole("region", { name: "Reading tools" })
    .locator("summary, button")
    .filter({ visible: true });
  await expect(tools).toHaveText(["Contents", "Listen", "AaType", "Save", "More"]);
  const boxes = await tools.evaluateAll((elements) =>
    elements.map((element) => ({
      width: element.clientWidth,
      overflow: element.scrollWidth - element.clientWidth,
    })),
  );
  for (const { width, overflow } of boxes) {
    expect(width).toBeGreaterThanOrEqual(40);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

async function openLong(page: Page, hosts: Parameters<typeof publishStory>[0]) {
  await fakeSpeech(page, PATIENT);
  await publishStory(hosts, LONG);
  await page.goto(LONG_PATH);
}

/** Presses Listen, and waits for the player. With the focus, the bar is also shown where it hides while one reads on. */
async function listen(page: Page) {
  await page.getByRole("button", { name: "Listen", exact: true }).press("Enter");
  await expect(findPlayer(page)).toBeVisible();
}

async function stopListening(page: Page) {
  await page.getByRole("button", { name: "Stop listening" }).click();
  await expect(findPlayer(page)).toHaveCount(0);
}

function findPlayer(page: Page) {
  return page.getByRole("group", { name: "Player" });
}

function findPercent(page: Page) {
  return page.getByRole("region", { name: "Reading tools" }).getByText(/\d+%$/).first();
}

function isSpeaking(page: Page): Promise<boolean> {
  return page.evaluate(() => speechSynthesis.speaking);
}

/** Returns the words that are highlighted; `null` if there are none. */
function getHighlighted(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get("listening") ?? [];
    return range instanceof Range ? range.toString() : null;
  });
}

/** Expects the highlighted words below the bars and above the player. */
async function expectSpokenInView(page: Page) {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("listening") ?? [];
        const player = document.querySelector("fieldset[aria-label=Player]");
        const { scrollPaddingTop } = getComputedStyle(document.documentElement);
        if (!(range instanceof Range) || !player) return false;
        const { top, bottom } = range.getBoundingClientRect();
        const isBelow = top >= parseFloat(scrollPaddingTop) - 3;
        return isBelow && bottom <= player.getBoundingClientRect().top;
      }),
    )
    .toBe(true);
}

/** Selects words of a paragraph. */
async function select(page: Page, number: number, words: string) {
  await getParagraph(page, number).evaluate((paragraph, wanted) => {
    for (const node of paragraph.childNodes) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at >= 0) getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length);
    }
  }, words);
}

/** Whether nothing is over the four corners of an element. */
function isUncovered(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const corners = [
    [left + 2, top + 2],
    [right - 2, bottom - 2],
  ] as const;
  return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}

/** Hides the page for a minute. */
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
