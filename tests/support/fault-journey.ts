import { expect } from "vitest";
import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { PROFILE_TABS } from "#app/profile/profile-view.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { requestDocument } from "./documents.ts";
import type { TestAccount } from "./firebase.ts";
import type { PlainBrowser, PlainPage } from "./plain-requests.ts";
import { FIRST_MESSAGE, STORY, STORY_TEXT } from "./service-proxy.ts";

/** How long each page and form waited, and whether the form succeeded. */
export interface JourneyLog {
  pages: { name: string; waitedMs: number }[];
  actions: { name: string; waitedMs: number; isDone: boolean }[];
}

const NO_ROOM = "We can't reach the room right now. Nothing was lost; try again in a moment.";
const NO_STORY = "We can't load this story right now. Nothing was lost; try again in a moment.";
const NO_WRITER = "We can't load all of this writer's stories right now. Try again in a moment.";
const NO_SEARCH = "We can't search our writers' stories right now. Try again in a moment.";

export interface JourneyOptions {
  writer: TestAccount;
  other: TestAccount;
  newEmail: string;
  parts: readonly JourneyPart[];
}

export const JOURNEY_PARTS = [
  "a visitor's pages",
  "signing in and up",
  "a writer's pages and forms",
] as const;

export type JourneyPart = (typeof JOURNEY_PARTS)[number];

/**
 * Walks through the app as a visitor and as a signed-in writer. Every response must be a page with its usual content or
 * with the sentence that says what is missing.
 */
export async function runJourney(
  signedIn: PlainBrowser,
  { writer, other, newEmail, parts }: JourneyOptions,
) {
  const log: JourneyLog = { pages: [], actions: [] };
  const visitor = signedIn.another();

  async function view(browser: PlainBrowser, path: string, ...expected: string[][]) {
    const page = await browser.get(path);
    log.pages.push({ name: path, waitedMs: page.waitedMs });
    expectPage(page, 200);
    for (const texts of expected) expectOneOf(page, texts);
    return page;
  }

  /** Submits a form. It must succeed, or its response must say that it failed and contain what was typed. */
  async function submit(
    name: string,
    browser: PlainBrowser,
    { path, form }: { path: string; form: Record<string, string> },
    { done, failed, typed }: { done: RegExp; failed: string[]; typed: string[] },
  ): Promise<boolean> {
    const page = await browser.post(path, form);
    expectPage(page);
    const isDone = page.status === 200 && done.test(page.path);
    if (!isDone) {
      expectOneOf(page, failed);
      for (const text of typed) expect(decode(page), `${name} returns the text`).toContain(text);
    }
    log.actions.push({ name, waitedMs: page.waitedMs, isDone });
    return isDone;
  }

  async function viewAsVisitor(): Promise<void> {
    await view(
      visitor,
      "/home",
      ["Explore Trending Stories"],
      ["The Lamplighter's Orchard"],
      [FIRST_MESSAGE, NO_ROOM],
    );
    await view(
      visitor,
      "/read/what-the-heron-keeps",
      ["What the Heron Keeps"],
      [FIRST_MESSAGE, NO_ROOM],
    );
    await view(visitor, `/read/${STORY.id}`, [STORY_TEXT, NO_STORY], [FIRST_MESSAGE, NO_ROOM]);
    await view(visitor, "/home?q=salt", ["Salt for the Clockmaker"], [STORY.title, NO_SEARCH]);
    await view(visitor, `/home?writer=${writer.localId}`, [STORY.title, NO_WRITER]);
    const next = await visitor.get(`/read/${STORY.id}?go=next`);
    log.pages.push({ name: "the next story", waitedMs: next.waitedMs });
    expectPage(next);
    expectOneOf(next, ["Explore Trending Stories", "We can't find the next story right now."]);
    await view(visitor, "/login", ["Don't have an account?"]);
  }

  async function viewAsWriter(): Promise<void> {
    await view(signedIn, "/home", ["Explore Trending Stories"], [FIRST_MESSAGE, NO_ROOM]);
    await view(signedIn, `/read/${STORY.id}`, [STORY_TEXT, NO_STORY]);
    await view(signedIn, "/profile", [writer.email]);
    for (const { id } of PROFILE_TABS) {
      await view(signedIn, `/profile?tab=${id}`, [writer.email]);
    }
    await view(signedIn, "/create", ["Save"]);
  }

  const draft = toDraft("save", "A kept draft", "Words that must stay.");
  const story = toDraft("publish", "A published tale", "Words for everybody.");
  const message = { messageId: createDocumentId(), message: "Words for the room." };
  const forms = [
    {
      name: "save a draft",
      to: { path: "/create", form: draft },
      ends: {
        done: /^\/create\?draft=/,
        failed: ["We can't reach your account right now. Nothing was lost; try again."],
        typed: [draft.title, draft.text],
      },
    },
    {
      name: "publish a story",
      to: { path: "/create", form: story },
      ends: {
        done: /^\/create\?draft=.*published/,
        failed: ["We can't reach your account right now. Nothing was lost; try again."],
        typed: [story.title, story.text],
      },
    },
    {
      name: "send a message",
      to: { path: "/home", form: message },
      ends: {
        done: /^\/home/,
        failed: ["We can't reach the room right now. Nothing was lost; try again."],
        typed: [message.message],
      },
    },
  ];
  async function submitAsWriter(): Promise<void> {
    for (const { name, to, ends } of forms) await submit(name, signedIn, to, ends);

    const signedOut = await signedIn.post("/logout", {});
    log.actions.push({ name: "sign out", waitedMs: signedOut.waitedMs, isDone: true });
    expectPage(signedOut, 200);
    expectOneOf(signedOut, ["Sign in with Google"]);
  }

  function signInAsVisitor(): Promise<boolean> {
    const credentials = { email: other.email, password: other.password };
    return submit(
      "sign in",
      visitor,
      { path: "/login", form: credentials },
      {
        done: /^\/profile/,
        failed: [
          "We can't reach the sign-in service. Nothing was lost; try again.",
          "(auth/internal-error)",
        ],
        typed: [other.email],
      },
    );
  }

  function signUp(): Promise<boolean> {
    const registration = {
      email: newEmail,
      password: "secret words",
      confirmPassword: "secret words",
    };
    return submit(
      "sign up",
      signedIn.another(),
      { path: "/register", form: registration },
      {
        done: /^\/profile/,
        // When the response to the first form was lost, the account exists.
        failed: [
          "We can't reach the sign-in service. Nothing was lost; try again.",
          "(auth/internal-error)",
          "Email already in use",
        ],
        typed: [newEmail],
      },
    );
  }

  // What different people do is done at once, because a service without a response makes each of them wait.
  const has = (part: JourneyPart) => parts.includes(part);
  const isWriter = has("a writer's pages and forms");
  await Promise.all([has("a visitor's pages") && viewAsVisitor(), isWriter && viewAsWriter()]);
  await Promise.all([
    isWriter && submitAsWriter(),
    ...(has("signing in and up") ? [signInAsVisitor(), signUp()] : []),
  ]);

  return {
    log,
    /** Submits the failed forms again, as their writer, and expects them to succeed. */
    async repeat(browser: PlainBrowser): Promise<void> {
      for (const { name, to, ends } of forms) {
        const { isDone } = log.actions.find((action) => action.name === name) ?? {};
        if (!isDone) expect(await submit(name, browser, to, ends), `${name} again`).toBe(true);
      }
    },
    /** Expects every text to be stored once. */
    async expectStored(hosts: FirebaseHosts): Promise<void> {
      const read = async (path: string, field: string) =>
        (await listFields(hosts, path, field)).toSorted();
      expect(await read("rooms/general/messages", "text")).toEqual([
        FIRST_MESSAGE,
        message.message,
      ]);
      const drafts = await read(`users/${writer.localId}/drafts`, "title");
      expect(drafts).toEqual([draft.title, story.title]);
      expect(await read("stories", "title")).toEqual([story.title, STORY.title]);
    },
  };
}

function toDraft(intent: string, title: string, text: string) {
  return { intent, id: createDocumentId(), revision: "0", title, text, tags: "sea" };
}

/** Expects a complete page of the app with its header, and not an error page. */
function expectPage(page: PlainPage, status?: number): void {
  if (status !== undefined) expect(page.status, page.path).toBe(status);
  expect(page.status, page.path).not.toBe(500);
  expect(page.html, page.path).toContain("</html>");
  expect(page.html, page.path).toContain("Skip to content");
  expect(page.html, page.path).not.toContain("Something went wrong");
}

function expectOneOf(page: PlainPage, texts: readonly string[]): void {
  const html = decode(page);
  const found = texts.some((text) => html.includes(text));
  expect(found, `${page.status} ${page.path} has one of ${JSON.stringify(texts)}`).toBe(true);
}

function decode({ html }: PlainPage): string {
  return html.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}

const listSchema = z.object({
  documents: z
    .array(
      z.object({
        fields: z.record(z.string(), z.object({ stringValue: z.string() }).or(z.unknown())),
      }),
    )
    .default([]),
});

/** Returns a text field of all documents of a collection, bypassing the rules. */
async function listFields(hosts: FirebaseHosts, path: string, field: string): Promise<string[]> {
  const response = await requestDocument(hosts, path);
  const { documents } = listSchema.parse(await response.json());
  return documents.map(
    ({ fields }) => z.object({ stringValue: z.string() }).parse(fields[field]).stringValue,
  );
}
