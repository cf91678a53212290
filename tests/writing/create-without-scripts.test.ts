import { expect, test } from "vitest";
import { splitText } from "#app/stories/story-text.server.ts";
import { deleteDocument } from "#tests/support/documents.ts";
import {
  expectValue,
  readTextArea,
  readTexts,
  startPlainBrowser,
} from "#tests/support/plain-browser.ts";
import { makeLongText } from "#tests/support/stories.ts";

/** Starts the app with a signed-in user and a saved draft. */
async function startWithDraft(text: string) {
  const browser = await startPlainBrowser();
  const { email, password, localId: uid } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });
  const empty = await browser.get("/create");
  const saved = await browser.submit(empty, "Save draft", { title: "Salt and Sand", text });
  return { ...browser, uid, saved };
}

/** Starts with a draft of which two pages have saved different texts. */
async function startWithConflict() {
  const browser = await startWithDraft("One");
  const { saved } = browser;
  const other = await browser.get(saved.path);
  await browser.submit(saved, "Save draft", { text: "Here" });
  const conflict = await browser.submit(other, "Save draft", { text: "There" });
  return { ...browser, conflict };
}

/** Returns the text that was not chosen in a conflict, from the list of versions. */
async function openNotChosen(browser: Awaited<ReturnType<typeof startWithConflict>>) {
  const versions = await browser.follow(await browser.get(browser.saved.path), "Versions");
  const [item = ""] =
    /<li(?:(?!<li)[\s\S])*Not chosen in a conflict[\s\S]*?<\/li>/.exec(versions.html) ?? [];
  const [, href = ""] = /href="([^"]*)"/.exec(item) ?? [];
  const version = await browser.get(href.replaceAll("&amp;", "&"));
  return readTextArea(version, "Version text");
}

test("shows both texts after two saves of the same draft", async () => {
  await using browser = await startWithConflict();
  const { conflict, saved } = browser;
  expect(readTextArea(conflict, "The other text")).toBe("Here");
  expectValue(conflict, "text", "There");

  await browser.submit(conflict, "Save draft");

  expectValue(await browser.get(saved.path), "text", "There");
  expect(await openNotChosen(browser)).toBe("Here");
});

test("a message that is sent in a conflict stays in the composer, beside both texts", async () => {
  await using browser = await startWithDraft("One");
  const other = await browser.get(browser.saved.path);
  await browser.submit(browser.saved, "Save draft", { text: "Here" });

  // What Send in the composer submits, with the story's form.
  const form = { intent: "send", text: "There", message: "Not yet" };
  const conflict = await browser.submit(other, "Save draft", form);

  expect(readTextArea(conflict, "The other text")).toBe("Here");
  expectValue(conflict, "text", "There");
  expectValue(conflict, "message", "Not yet");
  expect(conflict.html).toContain("so we didn&#x27;t send your message. Both are still here.");
});

test("saves a text as an earlier version when the other one is chosen", async () => {
  await using browser = await startWithConflict();

  const chosen = await browser.submit(browser.conflict, "Use the other text");

  expectValue(chosen, "text", "Here");
  expect(await openNotChosen(browser)).toBe("There");
});

test("asks before a deletion, and undoes it", async () => {
  await using browser = await startWithDraft("One");
  const drafts = await browser.follow(browser.saved, "Drafts");
  expect(readTexts(drafts, ["a"])).toContain("Salt and Sand");
  expect(readTexts(drafts, ["summary"])).toContain("Delete");

  const deleted = await browser.submit(drafts, "Yes, delete it");
  expect(deleted.html).toContain("Draft deleted.");
  expect(readTexts(deleted, ["a"])).not.toContain("Salt and Sand");

  expectValue(await browser.submit(deleted, "Undo"), "title", "Salt and Sand");
});

test("opens what remains of a draft or version of which a part is missing", async () => {
  const text = makeLongText(450_000);
  await using browser = await startWithDraft(text);
  const review = await browser.submit(browser.saved, "Publish");
  await browser.submit(review, "publish");
  const [, id = ""] = /draft=(\w+)/.exec(browser.saved.path) ?? [];
  const path = `users/${browser.uid}/drafts/${id}`;
  for (const at of [path, `${path}/versions/2`]) {
    await deleteDocument(browser.firebase.hosts, `${at}/parts/1`);
  }

  const draft = await browser.get(browser.saved.path);
  expect(draft.html).toContain("Part of this draft&#x27;s text is missing from your account.");
  const [first = "", , last = ""] = splitText(text);
  expectValue(draft, "text", `${first}\n\n${last}`);
  const versions = await browser.follow(draft, "Show versions");
  const [, href = ""] = /href="([^"]*version=[^"]*)"/.exec(versions.html) ?? [];
  const version = await browser.get(href.replaceAll("&amp;", "&"));
  expect(version.html).toContain("Part of this version&#x27;s text is missing.");

  const saved = await browser.submit(draft, "Save draft", { text: "Written again" });
  expect(saved.html).not.toContain("is missing");
  expectValue(saved, "text", "Written again");
});

test("says before publishing that HTML tags are not shown", async () => {
  await using browser = await startWithDraft('<p align="center">One</p>');
  const review = await browser.submit(browser.saved, "Publish");

  expect(readTexts(review, ["p"]).join()).toContain(
    `Readers won't see HTML tags like <p align="center">, only the words between them.`,
  );
});

/** Whether the page has the dialog with this id, and it is open. */
function hasOpenDialog({ html }: { html: string }, id: string): boolean {
  return new RegExp(`<dialog id="${id}"[^>]* open=""`).test(html);
}

test("publishes a story beside an unsent message, which stays in the composer", async () => {
  await using browser = await startWithDraft("One");

  const review = await browser.submit(browser.saved, "review", { message: "Good evening" });
  expect(hasOpenDialog(review, "publish")).toBe(true);
  expectValue(review, "message", "Good evening");
  const published = await browser.submit(review, "publish");

  expect(hasOpenDialog(published, "publish")).toBe(false);
  expect(hasOpenDialog(published, "published")).toBe(true);
  expect(readTexts(published, ["h2"])).toContain("Salt and Sand is published.");
  expectValue(published, "message", "Good evening");
  const saved = await browser.submit(published, "Save draft", { text: "Two" });
  expect(hasOpenDialog(saved, "publish") || hasOpenDialog(saved, "published")).toBe(false);
});

test("says what was not kept of a file that is imported beside an unsent message", async () => {
  await using browser = await startWithDraft("One");
  const file = new File(["<p>It was <u>late</u>.</p>"], "tide.html");

  const imported = await browser.submit(
    browser.saved,
    "Import",
    { message: "Good evening" },
    { file },
  );

  expectValue(imported, "text", "It was late.");
  expectValue(imported, "message", "Good evening");
  expect(imported.html).toContain("Imported, but not all of it could be kept.");
  expect(readTexts(imported, ["li"])).toContain(
    "Stories have no underlining: only the words were kept.",
  );
});

test("shows, compares and restores an earlier version", async () => {
  await using browser = await startWithDraft("Better");
  const review = await browser.submit(browser.saved, "Publish");
  // The dialog has a second button with this text.
  await browser.submit(review, "publish");
  const draft = await browser.get(browser.saved.path);
  const changed = await browser.submit(draft, "Save draft", { text: "Worse" });
  expect(changed.html).toContain("Changes not yet published");

  const versions = await browser.follow(changed, "Versions");
  const [, href = ""] = /href="([^"]*version=[^"]*)"/.exec(versions.html) ?? [];
  const version = await browser.get(href.replaceAll("&amp;", "&"));
  expect(readTextArea(version, "Version text")).toBe("Better");
  const changes = await browser.follow(version, "Changes");
  expect(readTexts(changes, ["del"]).join()).toContain("Better");
  expect(readTexts(changes, ["ins"]).join()).toContain("Worse");

  expectValue(await browser.submit(changes, "Restore this version"), "text", "Better");
});
