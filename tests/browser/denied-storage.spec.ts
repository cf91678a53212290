import type { Dialog } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { expect, OFFLINE, test } from "./fixtures.ts";
import { expectLive, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory } from "./story.ts";

/** What browsers may refuse. Each function runs before the page's own scripts; libraries may log the errors. */
const CONDITIONS: [name: string, refuse: () => void, logged?: RegExp][] = [
  [
    "access to all storage is denied",
    // As where cookies are blocked: databases, channels between tabs and locks are denied, too.
    () => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("Access is denied", "SecurityError");
          },
        });
      }
      const createError = () => new DOMException("The operation is insecure", "SecurityError");
      IDBFactory.prototype.open = () => {
        throw createError();
      };
      Object.assign(window, {
        BroadcastChannel: class {
          constructor() {
            throw createError();
          }
        },
      });
      const deny = () => Promise.reject(createError());
      Object.assign(LockManager.prototype, { request: deny, query: deny });
    },
    // Remix logs that it cannot store the scroll position.
    /^(?:SecurityError: )?Access is denied$/,
  ],
  [
    "storage becomes full while the room is open",
    () => {
      const setItem = localStorage.setItem.bind(localStorage);
      Storage.prototype.setItem = (key, value) => {
        // Once everything is connected: the Realtime Database's SDK stores something before it connects.
        const isFull = document.querySelector("#room")?.textContent.includes("1 here");
        if (isFull) throw new DOMException("The quota has been exceeded", "QuotaExceededError");
        setItem(key, value);
      };
    },
  ],
  [
    "databases do not open",
    () => {
      const open = indexedDB.open.bind(indexedDB);
      IDBFactory.prototype.open = (name) => {
        const request = open(`${name}${Math.random()}`, 1);
        request.addEventListener("upgradeneeded", () => request.transaction?.abort());
        return request;
      };
    },
  ],
  [
    "databases do not respond",
    () => {
      const open = indexedDB.open.bind(indexedDB);
      IDBFactory.prototype.open = (name, version) => {
        const request = open(name, version);
        for (const type of ["success", "error", "upgradeneeded"]) {
          request.addEventListener(type, (event) => event.stopImmediatePropagation());
        }
        return request;
      };
    },
  ],
];

for (const [index, [name, refuse, logged]] of CONDITIONS.entries()) {
  test(`receives and sends messages, and saves stories, where ${name}`, async ({
    page,
    person,
    addPerson,
    app,
    allowError,
  }) => {
    if (logged) allowError(logged);
    await fillRoom(app.firebase, person, 3);
    await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
    await page.addInitScript(refuse);
    await openAs(page, person, "/create");
    await expectLive(page);
    await tomas.send("Are you there?");
    await expect(page.getByText("Are you there?", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "1 here" })).toBeVisible();

    await sendMessage(page, "I am");
    const sent = page.locator("article", { hasText: "I am" });
    await expect(sent.locator("time")).toBeVisible();
    await findRichEditor(page);
    await findStory(page).fill("Written anyway");
    // The first one waits until the story is saved automatically.
    if (index > 0) await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Saved to your account")).toBeVisible();

    await page.goto("/create");
    await expect(sent.locator("time")).toBeVisible();
    await expectStory(page, "Written anyway");
  });
}

test("keeps a message that is written offline without storage, and says that it needs the page", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await page.addInitScript(fillStorage);
  await openAs(page, person, ROOM_PATH);
  await expectLive(page);
  await context.setOffline(true);
  await sendMessage(page, "From the tunnel");
  await expect(
    page.getByText(/sent automatically\. Keep this page open until then\.$/),
  ).toBeVisible();

  await context.setOffline(false);
  await page.reload();

  const sent = page.locator("article", { hasText: "From the tunnel" });
  await expect(sent.locator("time")).toBeVisible();
  await expect(sent).toHaveCount(1);
});

test("asks before it closes a story that is written offline without storage, and saves it later", async ({
  page,
  person,
  context,
  allowError,
}) => {
  allowError(OFFLINE);
  await page.addInitScript(fillStorage);
  await openAs(page, person, "/create");
  await findRichEditor(page);
  await context.setOffline(true);
  await findStory(page).click();
  await page.keyboard.type("From the tunnel");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(
    page.getByText(/We'll save it as soon as we can\. Keep this page open until then\.$/),
  ).toBeVisible();

  const question = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  await stay(await question);

  await test.step("a link asks too, but the side panel's tabs, which leave nothing, do not", async () => {
    // The pages that links lead to load again.
    await page.route("**/drafts", (route) => route.abort("internetdisconnected"));
    await context.setOffline(false);
    const nextQuestion = page.waitForEvent("dialog");
    const leaving = page.getByRole("link", { name: "Home", exact: true }).click();
    await stay(await nextQuestion);
    await leaving;
    await page.getByRole("link", { name: "Drafts", exact: true }).click();
    await expect(page).toHaveURL(/panel=drafts/);
    await expectStory(page, "From the tunnel");
  });

  await page.unroute("**/drafts");
  await expect(page.getByText("Saved to your account")).toBeVisible();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
});

/** Stays on the page when the browser asks. */
async function stay(question: Dialog) {
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
}

function fillStorage() {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded", "QuotaExceededError");
  };
}
