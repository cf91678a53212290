import { fillRoom } from "#tests/support/fill-room.ts";
import { expect, test } from "./fixtures.ts";
import { findLiveFrame, sendMessage, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

test.use({ javaScriptEnabled: false });

test("shows messages as they arrive once the room is open, below those of the page", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  await fillRoom(app.firebase, person, 3);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).search));
  await openAs(page, person, "/home");
  // The `load` event waits for frames, so the request of a frame would be in the list by now.
  expect(requests.filter((query) => query.includes("part="))).toEqual([]);

  await page.getByText("The room", { exact: true }).click();
  const live = await findLiveFrame(page);
  await page.getByTitle("New messages").scrollIntoViewIfNeeded();
  await expect(live.getByText("New messages appear here as they arrive.")).toBeVisible();

  await using tomas = await signInSender(app, await addPerson({ displayName: "Tomas" }));
  await tomas.send("Can you hear me?");

  await expect(live.getByText("Can you hear me?")).toBeInViewport({ timeout: 15_000 });
  await expect(live.locator("article")).toHaveText([/^Tomas.*Can you hear me\?$/]);
  await expect(live.getByRole("log")).toHaveCSS("flex-direction", "column-reverse");

  await sendMessage(page, "Yes");
  await expect(page.locator("article")).toHaveText([/1/, /2/, /3/, /Can you hear me/, /Yes/]);
});
