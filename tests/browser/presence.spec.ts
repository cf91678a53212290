import { expect, test } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { expectLive, openRoom, openRoomAs } from "./room.ts";
import { openAs, signIn } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

test("marks a user as offline who leaves /create or signs out in its panel", async ({
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

test("ends a user's presence when another user signs in from another tab", async ({
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

test("a story with the room beside it takes one token and one socket, and each ends by itself", async ({
  page,
  app,
  person,
}) => {
  const counts = { tokens: 0, signIns: 0, sockets: 0, streams: 0 };
  page.on("websocket", () => (counts.sockets += 1));
  page.on("request", (request) => {
    const url = request.url();
    if (url.endsWith("/firebase-token")) counts.tokens += 1;
    if (url.includes("signInWithCustomToken") && request.method() === "POST") counts.signIns += 1;
    // The room's messages, and the user's own documents.
    if (url.includes("/Listen/channel") && !url.includes("SID=")) counts.streams += 1;
  });
  const readOpen = async () => {
    const records = Object.values((await readDatabase(app, "readers")) ?? {});
    return new Set(records.map(({ story }) => story));
  };
  const readState = () => readDatabase(app, `status/${person.localId}/state`);
  const story = "the-lamplighters-orchard";

  await openAs(page, person, `/read/${story}`);
  await openRoom(page);
  await expectLive(page);
  await page.mouse.wheel(0, 200);
  await expect.poll(readOpen).toEqual(new Set(["room", story]));
  await expect.poll(readState).toBe("online");
  await expect.poll(() => counts.streams).toBeGreaterThanOrEqual(2);

  await page.getByRole("button", { name: "Close the room" }).click();
  await expect.poll(readState).toBe("offline");
  await expect.poll(readOpen).toEqual(new Set([story]));
  await openRoom(page);
  await expect.poll(readState).toBe("online");
  await page.getByRole("link", { name: "Inkglade", exact: true }).click();
  await expect.poll(readOpen).toEqual(new Set(["room"]));
  expect(counts).toMatchObject({ tokens: 1, signIns: 1, sockets: 1 });
});
