import { expect, test } from "vitest";

import { CreateScreen } from "#app/features/write/create-screen.tsx";
import type { DeskView, OpenDraft } from "#app/features/write/desk-view.ts";
import { UnreachableDraft } from "#app/features/write/unreachable-draft.tsx";
import { getAttribute, renderPage } from "./render.tsx";

const ID = "1".repeat(20);

const unread: OpenDraft = {
  id: ID,
  revision: 0,
  title: "",
  description: "",
  tags: [],
  cover: null,
  text: "",
  updatedAt: null,
  storyId: null,
  publishedRevision: null,
  deletedAt: null,
};

const desk: DeskView = {
  uid: "ana",
  draft: unread,
  isUnreachable: true,
  papers: { kind: "drafts", drafts: null },
  removed: null,
  clock: { locale: "en", timeZone: "UTC" },
  now: 0,
};

const firebase = {
  apiKey: "",
  projectId: "",
  appId: undefined,
  databaseURL: undefined,
  emulators: {},
};

test("a page that came back from a database out of reach holds what was typed, for the save it started from", () => {
  const typed = { ...unread, revision: 7, title: "Salt and Sand", text: "New words" };
  const reply = {
    reply: {
      status: "refused",
      reason: "unreachable",
      message: "Not saved.",
      hint: "Your account cannot be reached right now.",
    },
    typed,
    message: undefined,
  } as const;

  const html = renderPage(
    `/create?draft=${ID}`,
    <CreateScreen desk={desk} uid="ana" reply={reply} unreached={undefined} firebase={firebase}>
      {null}
    </CreateScreen>,
  );

  expect(html).toContain("New words</textarea>");
  expect(getAttribute(html, /name="title"/, "value")).toBe("Salt and Sand");
  expect(getAttribute(html, /name="id"/, "value")).toBe(ID);
  expect(getAttribute(html, /name="revision"/, "value")).toBe("7");
  expect(html).toContain("Not saved.");
});

test("a draft that cannot be read says so, and its page can be asked for again", () => {
  const html = renderPage("/create", <UnreachableDraft id={ID} />);

  expect(html).toContain("This draft cannot be reached right now.");
  expect(html).toMatch(new RegExp(`<a[^>]*href="/create\\?draft=${ID}"[^>]*>Try again</a>`));
});
