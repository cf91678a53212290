import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { openRoom } from "./room.ts";
import { startSession } from "./sign-in.ts";

const READ = "/read/the-lamplighters-orchard";

/** What each page needs, and a script that takes it away. */
const MISSING = {
  "URL.canParse": "delete URL.canParse",
  "AbortSignal.any": "delete AbortSignal.any",
  "AbortSignal.timeout": "delete AbortSignal.timeout",
  "navigator.locks": 'Object.defineProperty(Navigator.prototype, "locks", { get() {} })',
};

test("without what they need no script starts, and each page is the one without scripts", async ({
  browser,
  app,
  person,
}) => {
  const options = { baseURL: app.url, javaScriptEnabled: false };
  await using visitor = await browser.newContext(options);
  await using user = await browser.newContext(options);
  await startSession(user, person);
  const cookies = await user.cookies();
  const plain = new Map<string, Page>();
  for (const [context, paths] of [
    [visitor, ["/home", READ, "/login", "/register"]],
    [user, ["/profile", "/create"]],
  ] as const) {
    for (const path of paths) {
      const page = await context.newPage();
      await page.goto(path);
      plain.set(path, page);
    }
  }

  for (const [index, [name, script]] of Object.entries(MISSING).entries()) {
    await test.step(`without ${name}`, async () => {
      await using context = await browser.newContext({ baseURL: app.url });
      const page = await context.newPage();
      await page.addInitScript(script);
      const scripts: string[] = [];
      page.on("request", (request) => {
        if (request.resourceType() === "script") scripts.push(request.url());
      });
      await page.goto("/about");
      await expect(page.locator("html")).not.toHaveAttribute("data-scripting");

      // One script looks for all of them, so the other pages are opened only once.
      if (index === 0) {
        // As if the room had been open when the browser still ran the scripts.
        await page.addInitScript('localStorage.setItem("inkglade.room", "docked")');
        for (const [path, other] of plain) {
          if (path === "/profile") await context.addCookies(cookies);
          await page.goto(path);
          await expectSameControls(page, other);
        }
        await page.goto("/home");
        await openRoom(page);
        const text = "Who else has an old browser?";
        await page.getByRole("textbox", { name: "Message" }).fill(text);
        await page.getByRole("button", { name: "Send" }).click();
        await expect(page.getByRole("article").getByText(text)).toBeVisible();
      }
      expect(scripts).toEqual([]);
    });
  }
});

test("where the scripts can't be fetched, each page is the one without scripts", async ({
  browser,
  app,
  person,
}) => {
  const options = { baseURL: app.url };
  await using plain = await browser.newContext({ ...options, javaScriptEnabled: false });
  await using context = await browser.newContext(options);
  for (const each of [plain, context]) await startSession(each, person);
  // The frame of new messages has no storage.
  await context.addInitScript('try { localStorage.setItem("inkglade.room", "docked") } catch {}');
  await context.route("**/assets/entry.client-*.js", (route) =>
    route.fulfill({ status: 404, body: "Not found" }),
  );
  const [page, other] = [await context.newPage(), await plain.newPage()];

  for (const path of ["/home", READ, "/create", "/profile?tab=data"]) {
    await Promise.all([other.goto(path), page.goto(path, { waitUntil: "load" })]);
    await expectSameControls(page, other);
  }
  await page.getByText("Don't show when I'm here or typing").click();
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
});

/** Compares every visible control with that of the same page in a browser whose scripts are off. */
async function expectSameControls(page: Page, plain: Page): Promise<void> {
  let isFirst = true;
  await expect(async () => {
    // The messages, and the number of people in the header, may change between the two pages.
    if (!isFirst) await Promise.all([plain.reload(), page.reload({ waitUntil: "load" })]);
    isFirst = false;
    await expect(page.locator("html")).not.toHaveAttribute("data-scripting");
    const expected = await listControls(plain);
    expect(expected.length).toBeGreaterThan(5);
    expect(await listControls(page)).toEqual(expected);
  }).toPass();
}

/** Returns the name, or else the text, of each control that is shown, and where it is. */
async function listControls(page: Page): Promise<string[]> {
  const controls = page.locator("a, button, summary, input, textarea, select, iframe");
  return controls.filter({ visible: true }).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, width } = element.getBoundingClientRect();
      const name = element.getAttribute("name") ?? element.textContent;
      return `${element.localName} ${name} ${Math.round(x)} ${Math.round(width)}`;
    }),
  );
}
