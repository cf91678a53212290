import { expect, test } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { expectLive, openRoomAs } from "./room.ts";
import { signIn } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

test.use({ javaScriptEnabled: true });

test("marks a user as offline who leaves /create while typing or signs out in its panel, which keeps the page and its text", async ({
  browser,
  app,
  person,
}) => {
  // The room of /create closes when the user leaves that page. Beside other pages it would stay open.
  await using talk = await openRoomAs(browser, app, person, "/create");
  const { page } = talk;
  const isTyping = () => readDatabase(app, `typing/general/${person.localId}`);
  const readState = () => readDatabase(app, `status/${person.localId}/state`);
  await page.getByPlaceholder("Type a message…").pressSequentially("Shall I");
  await expect.poll(isTyping).toBe(true);
  await expect.poll(readState).toBe("online");

  await page.getByRole("link", { name: "Profile" }).click();
  await expect.poll(isTyping).toBeNull();
  await expect.poll(readState).toBe("offline");

  await page.getByRole("link", { name: "Create" }).click();
  await (await findRichEditor(page)).fill("Once upon a time");
  await expect.poll(readState).toBe("online");
  await page.getByRole("button", { name: "Sign out" }).click();

  await expect(page.getByText("Please sign in to chat.")).toBeVisible();
  await expectStory(page, "Once upon a time");
  await expect(page).toHaveURL(/\/create\?draft=/);
  await expect.poll(readState).toBe("offline");
});

test("ends a user's presence when another user signs in from another tab, and theirs when they sign out there", async ({
  browser,
  app,
  person,
  addPerson,
}) => {
  const tomas = await addPerson({ displayName: "Tomas Lund" });
  const readState = ({ localId }: { localId: string }) =>
    readDatabase(app, `status/${localId}/state`);
  await using talk = await openRoomAs(browser, app, person);
  const header = talk.page.getByRole("region", { name: "The room", exact: true }).locator("header");
  await talk.page.getByPlaceholder("Type a message…").pressSequentially("Shall I");
  await expect.poll(() => readDatabase(app, `typing/general/${person.localId}`)).toBe(true);
  const tab = await talk.page.context().newPage();

  await signIn(tab, tomas);

  await expect(header).toContainText("Tomas Lund");
  await expect.poll(() => readState(person)).toBe("offline");
  await expect.poll(() => readDatabase(app, `typing/general/${person.localId}`)).toBeNull();
  await expect.poll(() => readState(tomas)).toBe("online");

  // The room is open beside the page there too.
  await expectLive(tab);
  await tab.getByRole("button", { name: "Sign out" }).click();

  await expect(talk.page.getByText("Please sign in to chat.")).toBeVisible();
  await expect.poll(() => readState(tomas)).toBe("offline");
});
