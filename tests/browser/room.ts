import { request, type Browser, type Frame, type Page } from "@playwright/test";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { expect, type TestApp } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";

/** A page with the room and little else, for users who are signed in. /create also loads the editor. */
export const ROOM_PATH = "/profile#room";

export async function sendMessage(page: Page, text: string) {
  await page.getByPlaceholder("Type a message…").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Leaves a page for /home. The address changes before /home is shown: until then, the link to the room is the old page's. */
export async function goHome(page: Page) {
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { name: "Explore Trending Stories" })).toBeVisible();
}

/** Holds the requests that send messages. Returns the function that lets them go. */
export async function holdMessages(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/rooms/general/messages", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Opens the room beside the page; without scripts, at its end. */
export async function openRoom(page: Page) {
  await page.getByRole("banner").getByRole("link", { name: /^Room/ }).click();
  await expect(page.getByRole("region", { name: "The room", exact: true })).toBeVisible();
}

/** Waits until the room receives new messages. */
export async function expectLive(page: Page) {
  await expect(page.getByRole("region", { name: "The room", exact: true })).toHaveAttribute(
    "data-live",
    "live",
  );
}

/** Returns the frame of new messages, which is part of pages without scripts. */
export async function findLiveFrame(page: Page): Promise<Frame> {
  const url = /part=1/;
  await expect.poll(() => page.frame({ url }) !== null).toBe(true);
  const frame = page.frame({ url });
  if (!frame) throw new Error("The frame is gone");
  return frame;
}

/** Opens the room as another user, in a new browser context. */
export async function openRoomAs(
  browser: Browser,
  app: TestApp,
  person: TestAccount,
  path = ROOM_PATH,
) {
  const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: true });
  const page = await context.newPage();
  await openAs(page, person, path);
  await expectLive(page);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

/** Signs another user in who sends messages with the form, as browsers without scripts do. Needs no page. */
export async function signInSender(app: TestApp, { email, password }: TestAccount) {
  const client = await request.newContext({
    baseURL: app.url,
    extraHTTPHeaders: { Origin: app.url },
  });
  const post = async (path: string, form: Record<string, string>) => {
    const response = await client.post(path, { form, maxRedirects: 0 });
    expect(response.status()).toBe(303);
  };
  await post("/login", { email, password });
  return {
    /** Sends a message, and returns its id. */
    send: async (text: string, replyTo?: string) => {
      const id = createDocumentId();
      await post("/home", toMessageForm({ id, text, replyTo }));
      return id;
    },
    /** Reports a message. */
    report: async (messageId: string, details = "") => {
      const form = { intent: "report", kind: "spam", details };
      const response = await client.post(`/rooms/general/messages/${messageId}`, { form });
      expect(response.status()).toBe(200);
    },
    [Symbol.asyncDispose]: () => client.dispose(),
  };
}

/** Returns the controls of the room and its overlays that are smaller than 44 pixels, except links in a text. */
export async function findSmallControls(page: Page): Promise<string[]> {
  return page
    .locator(
      ":is(#room, [role=dialog], [role=menu]) :is(a, button, input, textarea, [role=menuitem])",
    )
    .evaluateAll((controls) =>
      controls.flatMap((control) => {
        if (control.matches("p a, blockquote a, [type=hidden]")) return [];
        // A label extends its field.
        const { width, height } = (control.closest("label") ?? control).getBoundingClientRect();
        // Browsers place elements at fractions of a pixel.
        const isSmall = width > 0 && Math.min(width, height) < 43.99;
        return isSmall ? [`${control.outerHTML.slice(0, 120)}: ${width} × ${height}`] : [];
      }),
    );
}
