import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { expectLive, openRoom, sendMessage } from "./room.ts";
import { openAs, startSession } from "./sign-in.ts";
import { expectStory, findStory } from "./story.ts";

test.describe("with JavaScript", () => {
  test("keeps a message that was typed before scripts ran, and what replaces it", async ({
    page,
    person,
  }) => {
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        const field = document.querySelector<HTMLTextAreaElement>("[name=message]");
        if (field && document.readyState === "interactive") field.value = "Early";
      });
    });
    await openAs(page, person, "/create");
    await expect(page.getByRole("button", { name: "Plain Markdown" })).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Early");

    await page.getByRole("button", { name: "Send" }).click();

    await expect(page.locator("article", { hasText: "Early" }).locator("time")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("");
    await expect(page).toHaveURL("/create");

    await page.goto("/home#room");
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Early");
    await page.getByPlaceholder("Type a message…").fill("Later");
    await page.getByRole("button", { name: "Close the room" }).click();
    await openRoom(page);

    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Later");
  });

  test("a message that is being typed during hydration continues where it was", async ({
    page,
    person,
  }) => {
    const field = page.getByPlaceholder("Type a message…");
    await startSession(page, person);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/assets/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/create", { waitUntil: "commit" });
    await field.pressSequentially("Hel");

    release();
    await expectHydrated(page);
    await page.keyboard.type("lo");

    await expect(field).toHaveValue("Hello");
  });

  test("keeps what was added to an unsent message before scripts ran", async ({ page, person }) => {
    const field = page.getByPlaceholder("Type a message…");
    await startSession(page, person);
    let isHeld = true;
    await page.route("**/assets/*.js", (route) => (isHeld ? undefined : route.continue()));
    await page.goto("/create", { waitUntil: "commit" });
    await page.getByLabel("Title").fill("Salt and Sand");
    await field.fill("Good");
    isHeld = false;
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        const field = document.querySelector<HTMLTextAreaElement>("[name=message]");
        if (field && document.readyState === "interactive") field.value += " evening";
      });
    });

    await page.getByLabel("Title").press("Enter");

    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectHydrated(page);
    await expect(field).toHaveValue("Good evening");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.locator("article", { hasText: "Good evening" })).toBeVisible();
  });

  test("adds what was typed in the folded room before scripts ran to an unsent message", async ({
    page,
    person,
  }) => {
    const field = page.getByPlaceholder("Type a message…");
    await openAs(page, person, "/home#room");
    await expectLive(page);
    await field.fill("Good");
    await page.addInitScript(() => {
      document.addEventListener("readystatechange", () => {
        const field = document.querySelector<HTMLTextAreaElement>("[name=message]");
        if (field && document.readyState === "interactive") field.value = "evening";
      });
    });

    await page.goto("/home");

    await expectLive(page);
    await expect(field).toHaveValue("Good\nevening");

    await test.step("also at the address of a passage, on a phone", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto("/read/the-understudy-moon#p-1");
      await expectLive(page);
      await expect(field).toHaveValue("Good\nevening\nevening");
    });
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("saves the story when a message is sent, and loses neither", async ({ page, person }) => {
    await openAs(page, person, "/create");
    await page.getByLabel("Title").fill("Salt and Sand");
    await page.getByPlaceholder("Type a message…").fill("Is the");
    await page.getByLabel("Title").press("Enter");
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Is the");
    await expect(page.locator("article")).toHaveCount(0);

    await findStory(page).fill("The tide came in.");
    await sendMessage(page, "Is the tide right?");
    await expect(page).toHaveURL(/draft=.+#newest$/);
    await expect(page.locator("article")).toHaveText([/Is the tide right\?/]);
    await expectStory(page, "The tide came in.");
  });
});
