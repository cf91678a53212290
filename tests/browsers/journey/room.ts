import { expect } from "vitest";

import { test } from "../fixtures.ts";
import { button, element, field, type Page } from "../page.ts";

const BOX = element("textarea[placeholder='Type a message…']");
const MESSAGES = element("#room article");
const ROOM = "/profile#room";

test("a message is sent with Enter, and the field is empty then", async ({ openPage, person }) => {
  const page = await openLive(await openPage(ROOM, { person }));
  await page.fill(BOX, "Hello");
  await page.press("Enter");
  await expect.poll(() => page.text(MESSAGES)).toMatch(/Hello$/);
  expect((await page.find(BOX)).value).toBe("");
});

test("messages arrive live, both ways", async ({ openPage, person, app }) => {
  const tomas = await app.firebase.addAccount({ displayName: "Tomas Lund" });
  const ana = await openLive(await openPage(ROOM, { person }));
  const other = await openLive(await openPage(ROOM, { person: tomas }));
  await send(ana, "Can you hear me?");
  await expect.poll(() => other.text(MESSAGES)).toContain("Can you hear me?");
  await send(other, "I can.");
  await ana.see(element("#room article", /I can\.$/));
});

test("a writer edits a message", async ({ openPage, person }) => {
  const page = await openLive(await openPage(ROOM, { person }));
  await send(page, "Helo");
  await choose(page, "Edit");
  const box = field("Edit message");
  await page.see(box);
  expect((await page.find(box)).isFocused).toBe(true);
  await page.fill(box, "Hello there");
  await page.press("Enter");
  await expect.poll(() => page.text(MESSAGES)).toMatch(/edited.*Hello there/);
});

test("a writer deletes a message, and can undo it", async ({ openPage, person }) => {
  const page = await openLive(await openPage(ROOM, { person }));
  await send(page, "To be or not");
  await choose(page, "Delete");
  await page.miss(MESSAGES);
  await page.click(button("Undo"));
  await expect.poll(() => page.text(MESSAGES)).toContain("To be or not");
});

test("what is being typed is there after a reload", async ({ openPage, person }) => {
  const page = await openLive(await openPage(ROOM, { person }));
  await page.fill(BOX, "Half-written");
  await page.reload();
  await expect.poll(async () => (await page.find(BOX)).value).toBe("Half-written");
});

test("the field grows with what is typed", async ({ openPage, person }) => {
  const page = await openLive(await openPage(ROOM, { person }));
  await page.click(BOX);
  const { height } = await page.find(BOX);
  for (const line of ["One", "Two", "Three"]) {
    await page.type(line);
    await page.press("Shift+Enter");
  }
  await expect.poll(async () => (await page.find(BOX)).height).toBeGreaterThan(height * 1.5);
});

test("a message that is written without a connection waits, and is sent once when it is back", async ({
  openPage,
  person,
  app,
}) => {
  const page = await openLive(await openPage(ROOM, { person }));
  app.cut(true);
  await send(page, "From the tunnel");
  await page.seeText("Waiting for connection");
  app.cut(false);
  await page.see(element("#room article time"));
  expect((await page.find(MESSAGES)).count).toBe(1);
  await page.miss(element("#room article", /Waiting for connection/));
});

test("a page shows who is typing", async ({ openPage, person, app }) => {
  const tomas = await app.firebase.addAccount({ displayName: "Tomas Lund" });
  const ana = await openLive(await openPage(ROOM, { person }));
  const other = await openLive(await openPage(ROOM, { person: tomas }));
  await other.click(BOX);
  await other.type("Let me think");
  await ana.seeText(/Tomas Lund is typing/);
});

test("a visitor reads the room, and is asked to sign in", async ({ openPage, person }) => {
  const writer = await openLive(await openPage(ROOM, { person }));
  await send(writer, "For everybody");
  const page = await openPage("/home#room");
  await page.see(element("#room article", /For everybody$/));
  await page.seeText("Please sign in to chat.");
  await page.miss(BOX);
});

async function openLive(page: Page): Promise<Page> {
  await page.see(element("[data-live=live]"));
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  await page.fill(BOX, text);
  await page.click(button("Send"));
  await page.see(element("#room article", new RegExp(text.replaceAll(/[.?]/g, String.raw`\$&`))));
}

/** Chooses an action for the only message. */
async function choose(page: Page, action: string): Promise<void> {
  await page.see(element("#room article time"));
  await page.click(button(/^Actions for /));
  await page.click(button(action));
}
