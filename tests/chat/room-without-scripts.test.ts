import { describe, expect, test } from "vitest";

import { formatQuote } from "#app/chat/quotes/quote.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { readLinks } from "#tests/support/plain-forms.ts";
import type { PlainPage } from "#tests/support/plain-requests.ts";
import { clearRateRecords, setRateRecord } from "#tests/support/rate-records.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectValue, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";

/** Starts the app with a signed-in user. */
async function startSignedIn() {
  const browser = await startPlainBrowser();
  const person = await browser.firebase.addAccount({ displayName: "Robin Vale" });
  const signIn = ({ email, password }: typeof person) =>
    browser.post("/login", { email, password });
  await signIn(person);
  return { ...browser, person, signIn };
}

test("shows the room to a visitor, and asks them to sign in", async () => {
  await using browser = await startPlainBrowser();
  const person = await browser.firebase.addAccount({ displayName: "Robin Vale" });
  await fillRoom(browser.firebase, person, 2);

  const home = await browser.get("/home");

  expect(readMessages(home)).toEqual([
    expect.stringMatching(/Robin Vale.+Message 1/),
    expect.stringContaining("Message 2"),
  ]);
  expect(readTexts(home, ["main"]).join()).toContain("Please sign in to chat.");
  expect(home.html).not.toContain("<textarea");
});

test("what is sent from the end of a story is about the story", async () => {
  await using browser = await startSignedIn();

  const end = await browser.get("/read/the-lamplighters-orchard");
  const talk = await browser.follow(end, "Quote in the room");
  expect(readTexts(talk, ["p"])).toContain(
    "No messages about this story yet. Write the first one.",
  );
  await browser.submit(talk, "Send", { message: "What a harvest!" });

  expect(readMessages(await browser.get("/home"))).toEqual([
    expect.stringMatching(/Orchard.*What a harvest!$/s),
  ]);
});

test("tells a user without a name before they write how they appear, and where they add one", async () => {
  await using browser = await startPlainBrowser();
  const person = await browser.firebase.addAccount({ displayName: "" });
  await browser.post("/login", { email: person.email, password: person.password });

  const { html } = await browser.get("/home");

  expect(html).toMatch(/You(&#x27;|')ll appear as “(<!-- -->)?Anonymous/);
  expect(html).toContain('href="/profile?tab=name#display-name">Add a name</a>');
});

test("the server's HTML has a link to a page of forms in place of each message's menu", async () => {
  await using browser = await startSignedIn();
  await fillRoom(browser.firebase, browser.person, 1);

  for (const path of ["/home", "/create"]) {
    const page = await browser.get(path);
    expect(readMessages(page)).toHaveLength(1);
    expect(page.html).not.toContain('aria-haspopup="menu"');
    const links = readLinks(page).filter(({ text }) => text.startsWith("Actions for "));
    expect(links).toEqual([
      {
        href: "/rooms/general/messages/filled-0000/actions",
        text: expect.stringMatching(/^Actions for your message of \d/),
      },
    ]);
  }
});

test.each(["constructor", "toString", "__proto__"])(
  "shows a quote of a story that does not exist, even with the id %s",
  async (id) => {
    await using browser = await startSignedIn();
    const home = await browser.get("/home");

    await browser.submit(home, "Send", { message: `“Words”\n/read/${id}#p-1\nWhy?` });
    browser.clearCookies();

    const page = await browser.get("/home");
    expect(page.status).toBe(200);
    expect(readMessages(page)).toEqual([expect.stringContaining("Why?")]);
  },
);

test.each([
  ["a quote at the beginning", (quote: string) => `${quote}The ferryman did it.`],
  ["a quote below other words", (quote: string) => `The ferryman did it.\n${quote}`],
  [
    "a reply to a quote",
    (quote: string) => `${quote.replaceAll(/^(?=.)/gm, "> ")}The ferryman did it.`,
  ],
])("folds all of a message about a later part than the user has read: %s", async (_, write) => {
  await using browser = await startSignedIn();
  const story = { id: "ferry-0123456789", title: "The Ferry", text: "1\n\n2\n\n3\n\n4\n\n5" };
  await publishStory(browser.firebase.hosts, story);
  const [, , , , last = ""] = renderMarkdown(story.text).paragraphs.map(({ id }) => id);
  const quote = formatQuote({ words: "He was the ferryman.", path: `/read/${story.id}#${last}` });
  await browser.submit(await browser.get("/home"), "Send", { message: write(quote) });
  const reader = browser.another();

  const { html } = await reader.get("/home");

  const [message = ""] = /<article.*?<\/article>/s.exec(html) ?? [];
  expect(message).toMatch(/Robin Vale.*<summary[^>]*>.*Wrote about a later part\..*Show/s);
  const shown = message.replace(/<details.*<\/details>/s, "");
  expect(shown).toContain("Robin Vale");
  expect(shown).not.toMatch(/ferryman|#p-/);
  await reader.post("/reading-position", { story: story.id, paragraph: last });
  const { html: unfolded } = await reader.get("/home");
  expect(unfolded).toContain("The ferryman did it.");
  expect(unfolded).not.toContain("Wrote about a later part.");
});

test("stores one message when the same form is submitted twice", async () => {
  await using browser = await startSignedIn();
  const home = await browser.get("/home");

  // Like a user who presses Send twice, or goes back and presses it again.
  await browser.submit(home, "Send", { message: "Only once" });
  await browser.submit(home, "Send", { message: "Only once" });

  expect(readMessages(await browser.get("/home"))).toHaveLength(1);
});

describe.each(["/home", "/create"])("on %s", (path) => {
  test("returns the text once the session has ended", async () => {
    await using browser = await startSignedIn();
    const page = await browser.get(path);
    browser.clearCookies();

    const response = await browser.submit(page, "Send", { message: "Do not lose me" });

    expect(response.html).toContain("Not authenticated");
    const [room = ""] = /<section id="room".*<\/section>/s.exec(response.html) ?? [];
    expect(room).toMatch(/Sign in from another tab<\/a>, then send it again\./);
    expect(room.match(/sign in/gi)).toHaveLength(1);
    expectValue(response, "message", "Do not lose me");
    expect(response.path).toBe(path);
  });

  test("returns a message over the rate limit, with the time to wait", async () => {
    await using browser = await startSignedIn();
    const { person, firebase } = browser;
    const page = await browser.get(path);
    await setRateRecord(firebase.hosts, person.localId, "messages", [4, 3, 2, 1, 0]);

    const response = await browser.submit(page, "Send", { message: "One too many" });

    expect(response.html).toMatch(/You can send another message in \d+ seconds?\./);
    expectValue(response, "message", "One too many");
    await clearRateRecords(firebase.hosts, person.localId);
    const sent = await browser.submit(response, "Send");
    expect(readMessages(sent)).toEqual([expect.stringContaining("One too many")]);
  });

  test("does not send what a user typed as another user", async () => {
    await using browser = await startSignedIn();
    const page = await browser.get(path);
    await browser.signIn(await browser.firebase.addAccount({ displayName: "Tomas Lund" }));

    // The second submit still belongs to the first user.
    let response = await browser.submit(page, "Send", { message: "Mine alone" });
    response = await browser.submit(response, "Send");

    expect(response.html).toContain("Someone else is signed in now.");
    expectValue(response, "message", "Mine alone");
    await browser.signIn(browser.person);
    const sent = await browser.submit(response, "Send");
    expect(readMessages(sent)).toEqual([expect.stringMatching(/Robin Vale.*Mine alone/)]);
  });
});

function readMessages(page: PlainPage): string[] {
  return readTexts(page, ["article"]);
}
