import { expect, OFFLINE, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory, isSave } from "./story.ts";

test("keeps the story while other requests of the page fail", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  allowError(/status of 502/);
  await page.clock.install();
  await openAs(page, person, "/create");
  let lost = 0;
  const refresh = /\/create\.data/;
  await page.route(refresh, (route) => {
    lost += 1;
    // The first request gets an error from a proxy, the later ones no response.
    if (lost === 1) return route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" });
    return route.abort("internetdisconnected");
  });
  await (await findRichEditor(page)).fill("One");
  await page.getByRole("button", { name: "Save draft" }).click();
  // The page tries again after three seconds, and then after six.
  await expect.poll(() => lost).toBe(1);
  await page.clock.fastForward(3000);
  await expect.poll(() => lost).toBeGreaterThan(1);
  await expectStory(page, "One");
  const refreshed = page.waitForResponse(refresh);
  await page.unroute(refresh);
  await page.clock.fastForward(6000);
  await refreshed;
  await expectStory(page, "One");
  await expect(page.getByText("Saved to your account")).toBeVisible();

  await page.getByRole("complementary").getByRole("link", { name: "Drafts", exact: true }).click();
  await expect(page).toHaveURL(/panel=drafts/);
  await context.setOffline(true);
  await findStory(page).fill("One, and written in a tunnel");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Not saved to your account yet.")).toBeVisible();
  await page.getByText("Delete", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();
  await expect(page.getByText("That didn't work.")).toBeVisible();
  await expectStory(page, "One, and written in a tunnel");
  await expect(page.getByText("You seem to be offline.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You seem to be offline.")).toBeHidden();
  await expect(page.getByText("You're back online. Try again.")).toBeVisible();
  await expect(page.getByText("Saved to your account")).toBeVisible();

  await page.getByRole("link", { name: "New story" }).click();
  await expectStory(page, "");
  await page.route(refresh, async (route) => {
    await context.clearCookies({ name: "__session" });
    await route.continue();
  });
  const refreshedAgain = page.waitForResponse(refresh);
  await (await findRichEditor(page)).fill("One, and signed out");
  await page.getByRole("button", { name: "Save draft" }).click();
  await refreshedAgain;
  await page.getByLabel("Title").fill("Still here");
  await expect(page).toHaveURL(/\/create\?draft=\w+$/);
  await expectStory(page, "One, and signed out");
});

test("continues a story that was started offline, without moving the caret, when it is saved", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await openAs(page, person, "/create");
  await findRichEditor(page);
  await context.setOffline(true);
  await findStory(page).fill("Begun offline.");
  await expect(page.getByText("Saved on this device")).toBeVisible();
  await page.close();
  await context.setOffline(false);

  const again = await context.newPage();
  await again.goto("/create");
  await expectStory(again, "Begun offline.");
  await findRichEditor(again);
  const other = await context.newPage();
  await other.goto("/create?new");
  await findRichEditor(other);
  await expectStory(other, "");
  await again.bringToFront();
  await findStory(again).click();
  await again.keyboard.press("Control+End");
  const saved = again.waitForResponse(isSave);
  await again.keyboard.type(" And I go on");
  await saved;
  await again.keyboard.type(" while it is");
  await expect(again).toHaveURL(/draft=/);
  await expect(again.getByText("Saved to your account")).toBeVisible();
  await again.keyboard.type(" being saved.");
  await expectStory(again, "Begun offline. And I go on while it is being saved.");
});

test("a new story is empty while the last one is being saved for the first time", async ({
  page,
  person,
}) => {
  await openAs(page, person, "/create");
  await findRichEditor(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/drafts", async (route) => {
    await released;
    await route.continue();
  });
  await page.getByLabel("Title").fill("The first one");
  await expect(page).toHaveURL(/draft=/);
  const saving = page.waitForRequest("**/drafts");
  await page.getByRole("complementary").getByRole("link", { name: "Drafts", exact: true }).click();
  await page.getByRole("link", { name: "New story" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("");
  await saving;
  await findRichEditor(page);

  await findStory(page).fill("It began elsewhere.");
  const saved = page.waitForResponse(isSave);
  release();
  await saved;
  await page.getByRole("button", { name: "Save draft" }).click();

  await expect(page.getByText("Saved to your account")).toBeVisible();
  await expectStory(page, "It began elsewhere.");
  await expect(page.getByLabel("Title")).toHaveValue("");
  await page.getByRole("complementary").getByRole("link", { name: "Drafts", exact: true }).click();
  await expect(
    page.getByRole("complementary").getByRole("link", { name: /The first one/ }),
  ).toBeVisible();
});

test("opens a story that was never saved, even after another one was written and saved", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openAs(page, person, "/create");
  await findRichEditor(page);
  await page.route("**/drafts", (route) => route.abort());
  await findStory(page).fill("The first one.");
  await expect(page.getByText("Saved on this device")).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Drafts", exact: true }).click();
  await page.getByRole("link", { name: "New story" }).click();
  await expectStory(page, "");
  await page.unroute("**/drafts");
  await findRichEditor(page);
  await findStory(page).fill("The second one.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Saved to your account")).toBeVisible();
  await page.close();

  const again = await context.newPage();
  await again.goto("/create");
  await expectStory(again, "The first one.");
  await expect(again.getByText("Saved to your account")).toBeVisible();
});

test("adds a new draft's id to the URL at the first keystroke, without loading anything", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await page.route("**/drafts", (route) => route.abort());
  // A page without scripts.
  await page.goto("/favicon.svg");
  await openAs(page, person, "/create");
  await findRichEditor(page);
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data")) loads.push(request.url());
  });
  await findStory(page).click();
  await page.keyboard.type("O");
  await expect(page).toHaveURL(/\/create\?draft=[A-Za-z0-9]{20}$/);
  const address = page.url();
  await page.keyboard.type("nce upon");
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expectStory(page, "Once upon");
  await expect(findStory(page)).toBeFocused();
  expect(loads).toEqual([]);

  await page.reload();
  await findRichEditor(page);
  await expectStory(page, "Once upon");
  await page.unroute("**/drafts");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Saved to your account")).toBeVisible();
  await expect(page).toHaveURL(address);
  await findStory(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" a time");
  await expectStory(page, "Once upon a time");
  await page.goBack();
  await expect(page).toHaveURL("/favicon.svg");
  await page.goForward();
  await expect(page).toHaveURL(address);
  await expectStory(page, "Once upon a time");
});

test("saves what is typed before scripts run, and the last words before the page is left", async ({
  page,
  person,
}) => {
  await openAs(page, person, "/create");
  await findRichEditor(page);
  await findStory(page).fill("One");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page).toHaveURL(/draft=/);
  await expect(page.getByText("Saved to your account")).toBeVisible();
  await page.addInitScript(() => {
    document.addEventListener("readystatechange", () => {
      if (document.readyState !== "interactive") return;
      for (const field of ["[data-story-field] textarea", "#publish-description"]) {
        const area = document.querySelector<HTMLTextAreaElement>(field);
        if (area) area.value += " early sentence";
      }
    });
  });
  await page.reload();
  await findRichEditor(page);
  await expectStory(page, "One early sentence");
  const id = new URL(page.url()).searchParams.get("draft");
  const expectSaved = (draft: object) =>
    expect(async () => {
      const response = await page.request.get(`/drafts?id=${id}`);
      expect(await response.json()).toMatchObject({ draft });
    }).toPass();
  await expectSaved({ text: "One early sentence", description: "early sentence" });

  await findStory(page).fill("One, and a last line");
  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(page).toHaveURL(/\/home/);
  await expectSaved({ text: "One, and a last line" });
});
