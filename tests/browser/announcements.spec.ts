import { formatStoryLine } from "#app/chat/quotes/quote.ts";
import { PROFILE_TABS } from "#app/profile/profile-view.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { countMessages, recordAnnouncements } from "./announcements.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, goHome, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { findRichEditor, findStory } from "./story.ts";

test("announces many messages at once by their number, in few announcements", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  const tomas = await addPerson({ displayName: "Tomas" });
  const readAnnouncements = await recordAnnouncements(page);
  await page.clock.install();
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  const long = "word ".repeat(900);
  await fillRoom(app.firebase, tomas, 20, [long], (index) => Date.now() + index);
  await expect(page.getByRole("article")).toHaveCount(20);
  // Those that arrive after the first announcement are announced together five seconds later.
  await page.clock.fastForward(5000);
  await expect
    .poll(async () =>
      countMessages((await readAnnouncements()).filter((text) => text.includes("Tomas"))),
    )
    .toBe(20);
  const said = (await readAnnouncements()).filter((text) => text.includes("Tomas"));
  expect(said.length).toBeLessThanOrEqual(2);
  expect(Math.max(...said.map(({ length }) => length))).toBeLessThan(170);
});

test("a switch silences new messages, beside a story and elsewhere, and is remembered", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  // Two, because one may not send so many messages at once.
  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  await using mara = await signInSender(app, await addPerson({ displayName: "Mara" }));
  const readAnnouncements = await recordAnnouncements(page);
  const control = page.getByRole("switch", { name: "Announce new messages" });
  async function toggle(wasOn: boolean) {
    await page.getByRole("button", { name: /^\d here$/ }).click();
    await expect(control).toBeChecked({ checked: wasOn });
    await page.getByText("Announce new messages").click();
    await expect(control).toBeChecked({ checked: !wasOn });
    await page.keyboard.press("Escape");
    await expect(control).toBeHidden();
  }
  async function expectAnnounced(sender: typeof tomas, text: string, isAnnounced: boolean) {
    await sender.send(text);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    const findAnnounced = async () =>
      (await readAnnouncements()).some((said) => said.includes(text));
    // A message that is announced is shown and announced at the same time.
    if (isAnnounced) await expect.poll(findAnnounced).toBe(true);
    else expect(await findAnnounced()).toBe(false);
  }

  await openAs(page, person, "/read/the-lamplighters-orchard#room");
  await expectLive(page);
  await expectAnnounced(tomas, "Quiet in the orchard", false);
  await toggle(false);
  await expectAnnounced(tomas, "Heard in the orchard", true);
  await page.reload();
  await expectLive(page);
  await expectAnnounced(tomas, "Still heard in the orchard", true);

  await page.goto(ROOM_PATH);
  await expectLive(page);
  await expectAnnounced(mara, "Heard at home", true);
  await toggle(true);
  await expectAnnounced(mara, "Quiet at home", false);
  await page.reload();
  await expectLive(page);
  await expectAnnounced(mara, "Still quiet at home", false);
});

test("a view of the room announces and counts as new no message that it shows first", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  const story = "the-lamplighters-orchard";
  const tomas = await addPerson({ displayName: "Tomas" });
  await using sender = await signInSender(app, tomas);
  const readAnnouncements = await recordAnnouncements(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await fillRoom(app.firebase, tomas, 5);
  await openAs(page, person, `/read/${story}?talk=story#room`);
  await expectLive(page);
  await expect(page.getByText("No messages about this story yet.")).toBeVisible();
  await goHome(page);
  await expect(page.getByText("Message 5", { exact: true })).toBeVisible();
  await expectLive(page);
  await sender.send("Good evening");
  const readArrivals = async () =>
    (await readAnnouncements()).filter((text) => text.includes("Tomas"));
  await expect.poll(async () => (await readArrivals()).join()).toContain("Good evening");
  expect(countMessages(await readArrivals())).toBe(1);

  // The user's own, because those of others are folded until the user has read the story.
  await fillRoom(app.firebase, person, 40, [`${formatStoryLine(story)}A lovely tale.`]);
  await page.goto(`/read/${story}?talk=story#room`);
  await expectLive(page);
  const last = page.locator("#room article", { hasText: "A lovely tale." }).last();
  await expect(last).toBeInViewport();
  await page.getByRole("log").evaluate((feed) => (feed.scrollTop -= 300));
  await expect(last).not.toBeInViewport();
  await page.getByRole("link", { name: "Everyone", exact: true }).click();
  await expect(page.getByText("Good evening", { exact: true })).toHaveCount(1);
  await expectLive(page);
  await expect(page.getByText("Good evening", { exact: true })).toBeInViewport();
  await expect(page.getByRole("button", { name: /new message/ })).toBeHidden();
});

test("a search is announced once", async ({ page }) => {
  const readAnnouncements = await recordAnnouncements(page);
  const readResults = async () =>
    (await readAnnouncements()).filter((text) => text.includes("heron"));
  await page.goto("/home");
  await page.getByRole("searchbox").fill("heron");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page).toHaveURL("/home?q=heron");
  await expect.poll(readResults).toEqual(["1 result for “heron” · Inkglade"]);

  await page.goto("/read/the-lamplighters-orchard");
  await page.getByRole("searchbox").fill("heron");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 result for “heron”");
  await expect.poll(readResults).toEqual(["1 result for “heron” · Inkglade"]);
  await expect(page.getByRole("main")).toBeFocused();
});

test("announces each tab by its title, each save of a draft and each change of a message", async ({
  page,
  person,
}) => {
  const readAnnouncements = await recordAnnouncements(page);
  await openAs(page, person, "/profile");
  await expect(page).toHaveTitle("Name and photo · Profile · Inkglade");
  const sections = page.getByRole("navigation", { name: "Profile sections" });
  const shown = PROFILE_TABS.map(({ label }) => label).filter((label) => label !== "Reports");
  for (const tab of [...shown.slice(1), ...shown.slice(0, 1)]) {
    await sections.getByRole("link", { name: tab, exact: true }).click();
    await expect(page).toHaveTitle(`${tab} · Profile · Inkglade`);
    await expect.poll(async () => (await readAnnouncements()).at(-1)).toBe(await page.title());
  }

  await page.goto("/create");
  await findRichEditor(page);
  await expect(page).toHaveTitle("Create · Inkglade");
  const tabs = page.getByRole("navigation", { name: "Side panel tabs" });
  for (const tab of ["Drafts", "Versions", "Room"]) {
    await tabs.getByRole("link", { name: tab }).click();
    await expect(page).toHaveTitle(`${tab} · Create · Inkglade`);
    await expect.poll(async () => (await readAnnouncements()).at(-1)).toBe(await page.title());
  }

  await test.step("each save of a draft, and a preview", async () => {
    await findStory(page).fill("The tide came in.");
    for (const times of [1, 2]) {
      await page.getByRole("button", { name: "Save draft" }).click();
      await expect
        .poll(async () => (await readAnnouncements()).filter((text) => text === "Draft saved."))
        .toHaveLength(times);
    }
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("dialog").getByText("The tide came in.")).toBeVisible();
    await expect
      .poll(async () => (await readAnnouncements()).at(-1))
      .toBe("The preview is loaded.");
    expect((await readAnnouncements()).join()).not.toContain("The tide");
  });

  await test.step("a change of a message", async () => {
    await page.setViewportSize({ width: 360, height: 720 });
    await page.goto(ROOM_PATH);
    await expectLive(page);
    await sendMessage(page, "Helo");
    await expect(page.locator("article time")).toBeVisible();
    await page.getByRole("button", { name: /^Actions for / }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Edit message" }).fill("Hello");
    const room = page.getByRole("region", { name: "The room", exact: true });
    await room.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await readAnnouncements()).at(-1))
      .toBe("Your message was changed.");
    const isInert = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((line) => line.closest("[inert]") !== null);
    expect(await isInert("Your message was changed.")).toBe(false);
  });
});

test("a notice that says what the user can do stays until it is closed", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  await fillRoom(app.firebase, await addPerson({ displayName: "Tomas" }), 1);
  await page.clock.install();
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await page.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: "Hide this person" }).click();
  const notice = page.getByRole("status").filter({ hasText: "You won't see Tomas's messages" });
  await expect(notice).toHaveText(/You can undo this on your profile, under Hidden\.$/);
  await page.clock.fastForward(60_000);
  await expect(notice).toBeVisible();
});
