import { expect } from "vitest";

import type { FirebaseHosts } from "#emulator/hosts.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { test } from "../fixtures.ts";
import { button, element, field, link, type Page } from "../page.ts";

const ID = "a-map-of-the-rain-0123456789";
const PATH = `/read/${ID}`;

test("a story is where it was after a reload", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  const first = await readOn(page);
  await page.reload();
  await expect.poll(() => getFirst(page)).toBe(first);
});

test("a story is where it was after Back from another document", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  const first = await readOn(page);
  await page.leave();
  await page.back();
  await expect.poll(() => page.path()).toBe(PATH);
  await page.waitForRefresh();
  await expect.poll(() => getFirst(page)).toBe(first);
});

test("a story that was left is continued from Home", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  const first = await readOn(page);
  await page.open("/home");
  await page.click(element("a", /A Map of the Rain/));
  await expect.poll(() => page.path()).toBe(PATH);
  await expect.poll(() => getFirst(page)).toBe(first);
});

test("a change of the text's size keeps the place, and stays", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  const getSize = () =>
    page.call(() =>
      parseFloat(getComputedStyle(document.querySelector("#text p") ?? document.body).fontSize),
    );
  const size = await getSize();
  const first = await readOn(page);
  await page.press("t");
  for (let count = 0; count < 3; count += 1) await page.click(button("Larger text"));
  await expect.poll(getSize).toBeGreaterThan(size);
  expect(await getFirst(page)).toBe(first);
  const larger = await getSize();
  await page.reload();
  expect(await getSize()).toBe(larger);
});

test("the paper changes at once", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  await page.click(element("summary", /Type/));
  await page.click(element("label", /Sepia/));
  await page.see(element("[data-paper=sepia]"));
  await page.press("Escape");
  await page.miss(button("Larger text"));
});

test("the contents lead to a part", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  // In wide windows they are beside the text, and open.
  await page.resize(900, 800);
  await page.click(element("summary", /Contents/));
  await page.click(link(/Part 3/));
  await expect.poll(() => page.path()).toContain("#");
  await expect
    .poll(async () => (await page.find(element("#text h2", "Part 3"))).top)
    .toBeLessThan(200);
});

test("words are quoted in the room, with a link back to them", async ({
  openPage,
  app,
  person,
}) => {
  await publishLong(app.firebase.hosts);
  const page = await openPage(PATH, { person });
  // The room folds a quote from beyond the place that the reader has reached.
  await page.call(() => {
    const paragraphs = [...document.querySelectorAll("#text p")];
    const paragraph = paragraphs.find((one) => one.textContent?.startsWith("Paragraph 12."));
    const words = paragraph?.firstChild;
    if (!paragraph || !words) throw new Error("Expected a text");
    paragraph.scrollIntoView({ behavior: "instant" });
    getSelection()?.setBaseAndExtent(words, 0, words, 13);
  });
  await page.click(button("Quote in the room"));
  const box = field("Message");
  await expect
    .poll(async () => (await page.find(box)).value)
    .toMatch(/^“Paragraph 12\.”\n\/read\//);
  await page.click(button("Send"));
  // The card gets the title of the story once that is known.
  await page.click(link(/“Paragraph 12\.”$/));
  await expect.poll(() => page.path()).toMatch(/#p-/);
});

test("a hash that is no valid escape does no harm", async ({ openPage, app }) => {
  const page = await openStory(app.firebase.hosts, openPage);
  await page.call(() => void (location.hash = "#100%"));
  await page.press("t");
  await page.see(button("Larger text"));
});

async function publishLong(hosts: FirebaseHosts): Promise<void> {
  const text = makeLongText(30_000);
  await publishStory(hosts, { id: ID, title: "A Map of the Rain", text });
}

async function openStory(
  hosts: FirebaseHosts,
  openPage: (path: string) => Promise<Page>,
): Promise<Page> {
  await publishLong(hosts);
  const page = await openPage(PATH);
  await page.see(element("#text"));
  return page;
}

/** Reads on with the wheel until the place is saved. Returns the first visible paragraph. */
async function readOn(page: Page): Promise<string> {
  for (let count = 0; count < 4; count += 1) {
    await page.turnWheel(600);
    await page.waitForRest();
  }
  const first = await getFirst(page);
  const isSaved = () => page.call(() => decodeURIComponent(document.cookie));
  await expect.poll(isSaved).toContain(`${first} `);
  return first;
}

/** Returns the beginning of the first paragraph at the top of the text in view: `Paragraph 12.` */
function getFirst(page: Page): Promise<string> {
  return page.call(() => {
    const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const paragraphs = [...document.querySelectorAll("#text p, #text h2")];
    const first = paragraphs.find((one) => one.getBoundingClientRect().bottom > top + 2);
    return /^\w+ \d+\.?/.exec(first?.textContent ?? "")?.[0] ?? "";
  });
}
