import type { Page } from "@playwright/test";

import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { LIVE, TRENDING } from "./carousels.ts";
import { expect, test } from "./fixtures.ts";
import { expectLazyScripts } from "./hydration.ts";

test.describe("with JavaScript", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  // tests/home/home-without-scripts.test.ts tests the last step and the next test without JavaScript.
  test("searches and filters the list, without a reload, and loses no word that is typed early", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/home");
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await test.step("keeps the words that were typed before the scripts of the search are loaded", async () => {
      const field = page.getByRole("searchbox");
      await field.fill("heron");
      await page.keyboard.press("Tab");
      await expect(page.locator("[data-lazy]")).toHaveCount(0);
      await expect(field).toHaveValue("heron");
    });

    for (const [width, height] of [
      [360, 640],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await test.step(`shows results at the top of a window of ${width} pixels, and clears the search`, () =>
        expectResultsAtTop(page, true));
    }

    await test.step("filters by type, words and tags, and shows all again", async () => {
      const list = page.getByRole("region", { name: "Books and quests" });
      const titles = list.getByRole("heading", { level: 3 });
      const quests = list.getByRole("link", { name: "Quests", exact: true });
      await expect(titles).toHaveCount(11);
      await quests.click();
      await expect(titles).toHaveCount(6);
      await expect(quests).toHaveAttribute("aria-current", "true");

      await search(page, "bell");
      await expect(page).toHaveURL("/home?q=bell");
      await quests.click();
      await expect(titles).toHaveText(["The Bell Beneath the Lake"]);
      await expect(list.getByText("1 result for “bell”")).toBeVisible();
      await expect(page).toHaveURL("/home?q=bell&type=quest");

      await search(page, "engine");
      await list.getByRole("link", { name: "trains", exact: true }).first().click();
      await expect(titles).toHaveText(["The Last Warm Engine"]);
      await list.getByRole("link", { name: "Remove trains" }).click();
      await expect(page).toHaveURL("/home?q=engine");

      await search(page, "no such story");
      await expect(list.getByText("No story by that name. Try a shorter word.")).toBeVisible();
      await list.getByRole("link", { name: "Show all" }).click();
      await expect(titles).toHaveCount(11);
    });
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  });

  test("saves a story for later, and signs in to follow its writer", async ({ page, person }) => {
    await page.goto("/home");
    const list = page.getByRole("region", { name: "Books and quests" });
    const save = list.getByRole("button", { name: "Save for later: A Cartographer of Rain" });
    await save.click();

    await expect(save).toHaveAttribute("aria-pressed", "true");
    const shelf = page.getByRole("region", { name: "Saved for later" });
    await expect(shelf.getByRole("heading", { level: 3 })).toHaveText(["A Cartographer of Rain"]);
    await shelf.getByRole("button", { name: "Save for later: A Cartographer of Rain" }).click();
    await expect(shelf).toBeHidden();

    await list.getByRole("link", { name: "Inkglade Editors" }).first().click();
    await expect(page).toHaveURL("/home?writer=inkglade");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inkglade Editors");
    const follow = page.getByRole("button", { name: "Follow Inkglade Editors" });
    await follow.click();
    await expect(page).toHaveURL("/login");
    await expect(page.getByText("Sign in to follow writers.")).toBeVisible();
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).toHaveURL("/home?writer=inkglade");
    await follow.click();
    await expect(page.getByRole("button", { name: "Following Inkglade Editors" })).toHaveText(
      "Following",
    );
  });

  test("with WCAG's text spacing the cards show as much of each title and description as without", async ({
    page,
    app,
  }) => {
    const description = "A long way down to the sea, and longer still back up. ".repeat(20).trim();
    const story = {
      id: "the-long-way-0000000009",
      title: "The Long Way",
      text: "One.",
      description,
    };
    await publishStory(app.firebase.hosts, story);
    for (const path of ["/home", "/home?writer=ana"]) {
      await page.goto(path);
      const texts = page.locator("main :is(h3, p)");
      if (path !== "/home") {
        await expect(texts.filter({ hasText: "longer still" })).toHaveText(/^.{120,160}…$/);
      }
      const findCut = () =>
        texts.evaluateAll((elements) =>
          elements
            .filter((element) => !element.closest("[aria-hidden]"))
            .filter((element) => getComputedStyle(element).overflowY !== "visible")
            .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
            .map(({ textContent }) => textContent),
        );
      const expectUncut = async () => {
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await findCut(), `${path}, ${width} px wide`).toEqual([]);
        }
      };
      await expectUncut();
      const content =
        "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }" +
        "p { margin-block-end: 2em !important }";
      // The policy of the page refuses a `<style>`.
      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets.push(sheet);
      }, content);
      await expectUncut();
    }
  });

  test("opens a book or a random story, and says in place that a quest is not open", async ({
    page,
  }) => {
    await page.goto("/home");
    await expect(page.getByRole("heading", { level: 2 })).toHaveText([
      TRENDING,
      LIVE,
      "Books and quests",
      "Bored of what you've read?",
    ]);
    await expect(page.getByRole("link", { name: /^Room/ })).toBeVisible();
    const links = page.locator('main a[href^="/read/"], main a[href^="/quest/"]');
    await expect(links.first()).toBeAttached();
    const heights = await links.evaluateAll((all) =>
      all.map((link) => link.getBoundingClientRect().height),
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);

    await page.setViewportSize({ width: 1440, height: 900 });
    const card = page.getByRole("listitem").filter({ hasText: "The Glass Apiary" });
    const top = await card.evaluate((element) => {
      element.scrollIntoView({ block: "center", behavior: "instant" });
      return element.getBoundingClientRect().y;
    });
    // Scrolling loads the scripts that replace the server's HTML.
    await expect(page.locator("[data-lazy]")).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Quests Not open yet" })).toBeVisible();
    expect((await card.boundingBox())?.y).toBe(top);
    await page.clock.install();
    await card.getByRole("link", { name: "The Glass Apiary" }).click();
    await expect(page.getByText("That quest is not open yet.")).toBeVisible();
    await expect(page).toHaveURL("/home");
    expect((await card.boundingBox())?.y).toBe(top);
    await page.clock.runFor(6100);
    await expect(page.getByText("That quest is not open yet.")).toBeHidden();

    await page
      .getByRole("region", { name: LIVE })
      .getByRole("link", { name: "The Lamplighter's Orchard" })
      .click();
    await expect(page).toHaveURL("/read/the-lamplighters-orchard");
    await page.goBack();

    await page.getByRole("button", { name: "Surprise me" }).click();
    await expect(page).toHaveURL(/\/read\/[a-z-]+$/);
    await expect(page.locator("#text")).toBeVisible();
  });

  test("adds more results below those that are shown, and moves the focus to the first", async ({
    page,
    app,
  }) => {
    await Promise.all(
      Array.from({ length: 26 }, (_, number) => {
        const id = `a-story-${1_000_000_000 + number}`;
        const title = `Story ${number}`;
        return publishStory(app.firebase.hosts, {
          id,
          title,
          text: "It began.",
          tags: ["harbour"],
        });
      }),
    );
    await page.goto("/home?tag=harbour");
    const items = page.getByRole("region", { name: "Books and quests" }).locator("h3");
    await expect(items).toHaveCount(24);
    await expectLazyScripts(page);
    const last = await items.last().textContent();

    await page.getByRole("link", { name: "More", exact: true }).click();

    await expect(items).toHaveCount(26);
    await expect(items.nth(23)).toHaveText(last ?? "");
    await expect(items.nth(24).getByRole("link")).toBeFocused();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("26 stories tagged “harbour”");
    await expect(page).toHaveURL(/after=/);
    await expect(page.getByRole("link", { name: "Back to the first results" })).toHaveCount(0);
    await expectAccessible(page);
    await page.reload();
    await expect(items).toHaveCount(2);
    await page.getByRole("link", { name: "Kind: Story" }).first().click();
    await expect(page).toHaveURL("/home?type=story");
  });

  test("a list whose script fails to load is shown once it has loaded", async ({
    page,
    allowError,
  }) => {
    allowError(/net::ERR_FAILED/);
    let failures = 0;
    await page.route("**/assets/dashboard-*.js", async (route) => {
      failures += 1;
      await (failures === 1 ? route.abort() : route.continue());
    });
    await page.goto("/about");
    await page.getByRole("link", { name: "Home", exact: true }).first().click();
    await expect(page.getByRole("region", { name: "Books and quests" })).toBeVisible();
    expect(failures).toBeGreaterThan(1);
  });

  test("shifts nothing during hydration in windows of any width", async ({ page }) => {
    await recordShift(page);
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
      [768, 1000],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto("/home");
      await expect(page.getByRole("button", { name: "Next" })).toHaveCount(2);
      // A mouse move loads the carousel's motion, which must not shift anything.
      await page.mouse.move(100, 100);
      await expect(page.locator("[data-embla]")).toHaveCount(2);

      const shift = await page.evaluate(() => Number(Reflect.get(window, "shift")));
      expect(shift, `${width} px wide`).toBeLessThan(0.02);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth).toBe(clientWidth);
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("cards below the window take the space that they need, at every width", async ({ page }) => {
    for (const width of [1280, 768, 360]) {
      await test.step(`${width} px wide`, async () => {
        // So low that no card of the list is laid out.
        await page.setViewportSize({ width, height: 300 });
        await page.goto("/home");
        const list = page.getByRole("region", { name: "Books and quests" });
        const getHeight = async () => (await list.boundingBox())?.height ?? 0;
        const before = await getHeight();
        for (const card of await list.getByRole("heading", { level: 3 }).all()) {
          await card.scrollIntoViewIfNeeded();
        }
        expect(Math.abs((await getHeight()) - before)).toBeLessThan(32);
      });
    }
  });

  test("shows results at the top of a narrow window, and clears the search", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/home");
    await expectResultsAtTop(page, false);
  });
});

/** Expects the results of the open page, and then all stories again, at the top of the window. */
async function expectResultsAtTop(page: Page, javaScriptEnabled: boolean) {
  const list = page.getByRole("region", { name: "Books and quests" });
  await search(page, "rain");

  await expect(page).toHaveURL("/home?q=rain");
  await expect(page.getByRole("searchbox")).toHaveValue("rain");
  if (!javaScriptEnabled) await expect(page.getByRole("searchbox")).toBeInViewport();
  await expect(list.getByRole("status")).toHaveText(/^\d+ results? for “rain”$/);
  await expect(list.getByRole("status")).toBeInViewport({ ratio: 1 });
  await expect(list.getByRole("link", { name: "A Cartographer of Rain" })).toBeInViewport();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/ for “rain”$/);
  await expect(page).toHaveTitle(/^\d+ results? for “rain” · Inkglade$/);

  await list.getByRole("link", { name: "Clear search" }).click();
  await expect(page).toHaveURL("/home#books-and-quests");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Stories, in good company.");
  await expect(list.getByRole("heading", { level: 3 })).toHaveCount(11);
  await expect(list.getByRole("heading", { level: 2 })).toBeInViewport();

  await list.getByRole("link", { name: "Quests", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("6 quests");
  await expect(list.getByRole("heading", { level: 1 })).toBeInViewport();
  await list.getByRole("link", { name: "All", exact: true }).click();
  await expect(page).toHaveURL("/home#books-and-quests");
  await expect(list.getByRole("heading", { level: 2 })).toBeInViewport();
}

/** Lets each document record how far its content shifts, in `shift`. */
async function recordShift(page: Page) {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // TypeScript's DOM types lack the `value` of these entries.
        Object.assign(window, {
          shift: Reflect.get(window, "shift") + Reflect.get(entry, "value"),
        });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Searches, and waits for the results. */
async function search(page: Page, words: string) {
  await page.getByRole("searchbox").fill(words);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  // Until the title changes, the links belong to the previous search.
  await expect(page).toHaveTitle(new RegExp(`for “${words}”`));
}
