import * as fc from "fast-check";
import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { formatQuote, formatStoryLine, formatReply } from "#app/chat/quotes/quote.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import {
  addPosition,
  serializePositions,
  type DevicePosition,
} from "#app/stories/positions/position-cookie.ts";
import { createPosition } from "#tests/reading/reading.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestFirebase } from "#tests/support/firebase.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { toCookieHeader } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const ORIGIN = "https://inkglade.example";
const TEXT = Array.from({ length: 8 }, (_, number) => `Paragraph ${number}.`);
const PARAGRAPHS = renderMarkdown(TEXT.join("\n\n")).paragraphs.map(({ id }) => id);

/** The number of the last paragraph that is open to everyone. */
const LAST_OPEN = 2;

/** The most messages that a person may send in ten seconds. */
const MAX_MESSAGES = 5;

/** What one of three people does; the first is the reader. `at` is the number of a paragraph, or of one of the messages. */
const stepsArbitrary = fc.array(
  fc.record({
    who: fc.nat(2),
    does: fc.constantFrom("quotes", "says", "replies", "deletes", "moves", "is hidden", "is muted"),
    at: fc.nat(TEXT.length - 1),
  }),
  { minLength: 6, maxLength: 14 },
);

interface Message {
  id: string;
  who: number;
  text: string;
  /** Is in no other message but those that reply to it. */
  word: string;
  number: number;
  repliesTo: Message | undefined;
  isDeleted: boolean;
}

test("whatever happens in which order, nothing about a later part is shown or counted", async () => {
  await using firebase = await startFirebase();
  const sendRequest = await createAppHandler({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...getLocalVariables(firebase.hosts),
    // Messages that were read before are not reused.
    PAGE_CACHE: "off",
  });
  let stories = 0;

  await fc.assert(
    fc.asyncProperty(stepsArbitrary, async (steps) => {
      stories += 1;
      const story = `salt-${String(stories).padStart(10, "0")}`;
      await publishStory(firebase.hosts, { id: story, title: "Salt", text: TEXT.join("\n\n") });
      const people = await Promise.all([0, 1, 2].map(() => join(firebase, sendRequest, story)));
      const messages: Message[] = [];
      const hidden = new Set<number>();
      const muted = new Set<number>();
      const [reader] = people;

      for (const { who, does, at } of steps) {
        const person = people[who];
        const about = messages.filter(({ isDeleted }) => !isDeleted)[at];
        if (!person || !reader) throw new Error("There are three people");
        if (does === "moves") person.moveTo(at);
        else if (does === "deletes") {
          if (about?.who !== who) continue;
          about.isDeleted = true;
          await person.send(`/rooms/general/messages/${about.id}`, { intent: "delete" });
        } else if (does === "is hidden") {
          if (who === 0) continue;
          hidden.add(who);
          const form = { intent: "hide", person: person.uid, name: "Hidden", uid: reader.uid };
          await reader.send("/rooms/general/hidden", form);
        } else if (does === "is muted") {
          muted.add(who);
          await changeDocument(firebase.hosts, `mutes/${person.uid}`, {
            name: { stringValue: "Someone" },
            until: { timestampValue: new Date(Date.now() + 3_600_000).toISOString() },
            reason: { stringValue: "Spam" },
            appeal: { nullValue: null },
            at: { timestampValue: new Date().toISOString() },
          });
        } else if (messages.filter((message) => message.who === who).length < MAX_MESSAGES) {
          const repliesTo = does === "replies" ? about : undefined;
          const word = `word${stories}n${messages.length}x`;
          const path = `/read/${story}#${PARAGRAPHS[at]}`;
          const lines = repliesTo
            ? formatReply({ ...repliesTo, displayName: "Someone", topic: toTopic(repliesTo) })
            : does === "quotes"
              ? formatQuote({ words: TEXT[at] ?? "", path })
              : formatStoryLine(story);
          const text = lines + word;
          const isAboutPassage = text.startsWith("“");
          const own = does === "quotes" ? at : Math.max(0, person.getFurthest());
          const number =
            isAboutPassage && repliesTo
              ? repliesTo.number
              : Math.max(own, repliesTo ? repliesTo.number : 0);
          const message = { id: createDocumentId(), who, text, word, number, repliesTo };
          const form = toMessageForm({ id: message.id, text, replyTo: repliesTo?.id });
          const { status } = await person.send("/home", form);
          expect(status).toBe(muted.has(who) ? 403 : 303);
          if (!muted.has(who)) messages.push({ ...message, isDeleted: false });
        }
      }

      if (!reader) throw new Error("There are three people");
      const isReadable = ({ who, number, isDeleted }: Message) =>
        !isDeleted &&
        !hidden.has(who) &&
        (who === 0 || number <= Math.max(LAST_OPEN, reader.getFurthest()));
      const readable = messages.filter(isReadable);
      for (const view of ["story", "everyone"]) {
        const page = await reader.send(`/read/${story}?talk=${view}`);
        const feed = readFeed(await page.text());
        const [, count = "0"] = /This story · (\d+)/.exec(feed.html) ?? [];
        expect(Number(count)).toBe(readable.length);
        for (const message of messages) {
          // A reply repeats the words of a message that is gone.
          const isRepeated = readable.some(
            ({ repliesTo }) => repliesTo === message && message.isDeleted,
          );
          if (!isRepeated) expect(feed.shown.includes(message.word)).toBe(isReadable(message));
        }
      }
    }),
    { numRuns: 8 },
  );
}, 120_000);

/** Signs a person in, and returns their browser. */
async function join(
  firebase: TestFirebase,
  sendRequest: (request: Request) => Promise<Response>,
  story: string,
) {
  const { email, password, localId: uid } = await firebase.addAccount();
  const cookies = new Map<string, string>();
  let positions: DevicePosition[] = [];
  let furthest = -1;

  function addCookies(pairs: string) {
    for (const pair of pairs.split("; ")) {
      const [name = ""] = pair.split("=", 1);
      cookies.set(name, pair);
    }
  }

  async function send(path: string, form?: Record<string, string>): Promise<Response> {
    const Cookie = [...cookies.values()].join("; ");
    const response = await sendRequest(
      new Request(ORIGIN + path, {
        headers: { Origin: ORIGIN, Host: new URL(ORIGIN).host, Cookie },
        ...(form && { method: "POST", body: new URLSearchParams(form) }),
      }),
    );
    addCookies(toCookieHeader(response.headers));
    return response;
  }

  await send("/login", { email, password });
  return {
    uid,
    send,
    /** Returns the number of the furthest paragraph where they have been. */
    getFurthest: () => furthest,
    moveTo(number: number) {
      furthest = Math.max(furthest, number);
      const where = { paragraph: PARAGRAPHS[number] ?? "", start: TEXT[number] ?? "", offset: 0 };
      // The name of a cookie on https.
      const position = createPosition({ story, number, percent: 40, ...where });
      positions = addPosition(positions, position);
      addCookies(`__Host-places=${encodeURIComponent(serializePositions(positions))}`);
    },
  };
}

function toTopic({ number, repliesTo }: Message) {
  return { number, replyTo: repliesTo?.id ?? null };
}

/** Returns a page without its scripts, and what its feed shows while everything that is folded stays folded. */
function readFeed(page: string): { html: string; shown: string } {
  const html = page.replaceAll(/<script\b[^>]*>.*?<\/script>/gs, "");
  let depth = 0;
  let shown = "";
  for (const piece of html.slice(html.indexOf('role="log"')).split(/(?=<\/?details\b)/)) {
    if (piece.startsWith("<details")) depth += 1;
    if (piece.startsWith("</details")) depth -= 1;
    if (depth <= 0) shown += piece;
  }
  return { html, shown };
}
