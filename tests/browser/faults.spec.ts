import { clearRateRecords } from "#tests/support/rate-records.ts";
import { network, test, type Hop } from "./faulty-app.ts";
import { expect } from "./fixtures.ts";
import { expectLive, openRoomAs, ROOM_PATH, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

const HOPS: Hop[] = [
  {
    name: "the browser and the Worker",
    matches: ({ method, url }) => method === "POST" && url === "/rooms/general/messages",
    faults: ["cut", "lost", "twice", "error", "late", "lost"],
  },
  {
    name: "the Worker and Firestore",
    matches: ({ url }) => /:(batchGet|commit|runQuery)$/.test(url),
    faults: ["none", "cut", "late", "lost", "twice", "error"],
  },
  {
    name: "the browser and Firestore",
    matches: ({ url }) => url.includes("/Listen/channel"),
    // Each once, because the SDK waits longer after each failure in a row.
    faults: ["late", "cut", "twice", "lost", "midway", "error"],
  },
  {
    name: "the browser and the Realtime Database",
    matches: ({ url }) => url.startsWith("/.ws"),
    faults: ["cut", "none", "cut"],
    frameFaults: ["unanswered", "none", "late", "cut", "unanswered"],
  },
];

/**
 * At most five attempts fail in a row at one hop. The outbox waits 1, 2, 4, 8 and 10 s after them, and a busy machine needs
 * time for each attempt.
 */
const DELIVERY_TIMEOUT_MS = 60_000;

test("shows messages once, in order, under their authors, while connections fail again and again", async ({
  page,
  addPerson,
  browser,
  app,
  allowError,
}) => {
  test.setTimeout(300_000);
  // The proxy's own error responses have no CORS headers.
  allowError(/blocked by CORS policy/);
  allowError(/status of 50\d|net::ERR_|WebChannelConnection|WebSocket|Could not reach|FIREBASE/);
  allowError(/^server: /);
  const [ana, tomas] = [
    await addPerson({ displayName: "Ana" }),
    await addPerson({ displayName: "Tomas" }),
  ];
  await using talk = await openRoomAs(browser, app, tomas);
  await openAs(page, ana, ROOM_PATH);
  await expectLive(page);

  const expected: RegExp[] = [];
  for (const [index, hop] of HOPS.entries()) {
    await test.step(`between ${hop.name}`, async () => {
      for (const { localId } of [ana, tomas]) await clearRateRecords(app.firebase.hosts, localId);
      network.break(hop);
      for (const text of [`One ${index}`, `Two ${index}`]) {
        await sendMessage(page, text);
        expected.push(new RegExp(`^Ana .*${text}$`, "s"));
      }
      await expect(talk.page.locator("article")).toHaveText(expected, {
        timeout: DELIVERY_TIMEOUT_MS,
      });
      network.cutAll();
      await sendMessage(talk.page, `Three ${index}`);
      expected.push(new RegExp(`^Tomas .*Three ${index}$`, "s"));

      for (const reader of [page, talk.page]) {
        const messages = reader.locator("article");
        await expect(messages).toHaveText(expected, { timeout: DELIVERY_TIMEOUT_MS });
        await expect(messages.locator("time")).toHaveCount(expected.length, {
          timeout: DELIVERY_TIMEOUT_MS,
        });
      }
      network.repair();
    });
  }

  for (const reader of [page, talk.page]) {
    await expect(reader.getByRole("button", { name: "2 here" })).toBeVisible({
      timeout: DELIVERY_TIMEOUT_MS,
    });
  }
});
