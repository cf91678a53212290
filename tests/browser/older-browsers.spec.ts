import type { Browser, Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { openAs, startSession } from "./sign-in.ts";

const READ = "/read/the-lamplighters-orchard";

/** What each page needs, and a script that takes it away. */
const MISSING = {
  "URL.canParse": "delete URL.canParse",
  "AbortSignal.any": "delete AbortSignal.any",
  "AbortSignal.timeout": "delete AbortSignal.timeout",
  "navigator.locks": 'Object.defineProperty(Navigator.prototype, "locks", { get() {} })',
};

for (const [name, script] of Object.entries(MISSING)) {
  test(`without ${name} no script starts, and each page is the one without scripts`, async ({
    page,
    browser,
    app,
    person,
  }) => {
    await page.addInitScript(script);
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
    // As if the room had been open when the browser still ran the scripts.
    await page.addInitScript('localStorage.setItem("inkglade.room", "docked")');

    for (const path of ["/home", READ, "/login", "/register"]) {
      await page.goto(path);
      await expectSameWithoutScripts(page, browser, app.url);
    }

    await openAs(page, person, "/create");
    await expectSameWithoutScripts(page, browser, app.url, person);
    await page.getByRole("textbox", { name: "Message" }).fill("Which page are you on?");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("article").getByText("Which page are you on?")).toBeVisible();
    await page.goto("/profile");
    await expectSameWithoutScripts(page, browser, app.url, person);
    expect(scripts).toEqual([]);
  });
}

/** Compares every visible control with that of the same page in a browser whose scripts are off. */
async function expectSameWithoutScripts(
  page: Page,
  browser: Browser,
  baseURL: string,
  person?: { email: string; password: string },
): Promise<void> {
  await using context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const plain = await context.newPage();
  if (person) await startSession(plain, person);
  await plain.goto(new URL(page.url()).pathname);
  // The number of people in the header may change between the two pages.
  await expect(async () => {
    await Promise.all([plain.reload(), page.reload()]);
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

test("no page makes the browser report a violation of our own policy", async ({ page, person }) => {
  const violations: string[] = [];
  await page.exposeFunction("report", (violation: string) => violations.push(violation));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, sourceFile }) =>
      Reflect.get(window, "report")(`${violatedDirective} ${sourceFile}`),
    );
  });

  await page.goto("/register");
  await page.getByLabel("E-mail").fill("not an address");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
  for (const path of ["/create", "/profile"]) await openAs(page, person, path);
  expect(violations).toEqual([]);
});
