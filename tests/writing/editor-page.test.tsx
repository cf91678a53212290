import { expect, test } from "vitest";

import type { DraftHead } from "#app/writing/draft.ts";
import type { EditorData, OpenDraft } from "#app/writing/editor-data.ts";
import { EditorPage } from "#app/writing/editor/editor-page.tsx";
import { UnavailableDraft } from "#app/writing/editor/unavailable-draft.tsx";
import { getAttribute, readElement, renderPage } from "#tests/ui/render.tsx";

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

const editor: EditorData = {
  uid: "ana",
  draft: unread,
  isUnavailable: true,
  sidePanel: { kind: "drafts", drafts: null },
  isJustPublished: false,
  trashed: null,
  locale: { language: "en", timeZone: "UTC" },
  now: 0,
};

const firebase = {
  apiKey: "",
  projectId: "",
  appId: undefined,
  databaseURL: undefined,
  emulators: {},
};

test("shows the typed text and its revision again when the database did not answer", () => {
  const typed = { ...unread, revision: 7, title: "Salt and Sand", text: "New words" };
  const reply = {
    reply: {
      status: "error",
      reason: "unavailable",
      message: "Not saved.",
      hint: "We can't reach your account right now.",
    },
    typed,
    message: undefined,
  } as const;

  const html = renderPage(
    `/create?draft=${ID}`,
    <EditorPage
      editor={editor}
      uid="ana"
      name="Ana"
      reply={reply}
      offlineHint={undefined}
      firebase={firebase}
    >
      {null}
    </EditorPage>,
  );

  expect(html).toContain("New words</textarea>");
  expect(getAttribute(html, /name="title"/, "value")).toBe("Salt and Sand");
  expect(getAttribute(html, /name="id"/, "value")).toBe(ID);
  expect(getAttribute(html, /name="revision"/, "value")).toBe("7");
  expect(html).toContain("Not saved.");
});

test("shows that a draft can't be loaded, and offers to try again", () => {
  const html = renderPage("/create", <UnavailableDraft id={ID} />);

  expect(html).toContain("We can&#x27;t load this draft right now.");
  expect(html).toMatch(new RegExp(`<a[^>]*href="/create\\?draft=${ID}"[^>]*>Try again</a>`));
});

const head: DraftHead = {
  ...unread,
  id: "2".repeat(20),
  revision: 3,
  words: 4,
  title: "Salt and Sand",
  createdAt: 0,
  updatedAt: 2000,
  publishedAt: null,
};
const older = { ...head, id: "3".repeat(20), title: "", updatedAt: 1000 };

function render(view: Partial<EditorData>, name: string | null = "Ana") {
  const shown = { ...editor, isUnavailable: false, ...view };
  const html = renderPage(
    "/create",
    <EditorPage
      editor={shown}
      uid="ana"
      name={name}
      reply={undefined}
      offlineHint={undefined}
      firebase={firebase}
    >
      {null}
    </EditorPage>,
  );
  // React separates adjacent texts by a comment.
  return html.replaceAll("<!-- -->", "");
}

test("offers the last draft first, then the others", () => {
  const html = render({ sidePanel: { kind: "drafts", drafts: [head, older] } });

  const offer = html.indexOf("Continue “Salt and Sand”");
  expect(offer).toBeGreaterThan(0);
  expect(html.indexOf("Untitled")).toBeGreaterThan(offer);
  expect(html.indexOf('id="editor"')).toBeGreaterThan(html.indexOf("Untitled"));
  expect(getAttribute(html, /<a[^>]*draft=2/, "href")).toBe(`/create?draft=${head.id}`);
  expect(html).not.toContain("New story");
});

test("offers a new story when a draft is open", () => {
  const draft = { ...unread, ...head, text: "The tide came in." };
  const html = render({ draft, sidePanel: { kind: "drafts", drafts: [head, older] } });

  expect(html).toMatch(/<a[^>]*href="\/create"[^>]*>New story<\/a>/);
  expect(html).not.toContain("Continue “");
  expect(html.indexOf("New story")).toBeLessThan(html.indexOf('id="editor"'));
});

test("offers no draft when there is none", () => {
  const html = render({ sidePanel: { kind: "drafts", drafts: [] } });

  expect(html).not.toContain("Continue “");
  expect(html).toContain("Nothing here yet. Start with a first line.");
});

test("shows a user without a name what readers will see before publishing", () => {
  const sentence = "You have no display name, so readers will see “Anonymous”.";

  const html = render({}, null);
  expect(html).toContain(sentence);
  expect(html).toMatch(/<a[^>]*href="\/profile"[^>]*>Add your name<\/a>/);
  expect(render({}, "Ana")).not.toContain(sentence);
});

test("shows next to the buttons that the story was published, and under which name", () => {
  const draft = { ...unread, ...head, publishedRevision: 3, text: "The tide came in." };

  const html = render({ draft, isJustPublished: true }, null);
  expect(readElement(html, "published")).toContain(
    "Published as Anonymous. Everyone can read it now.",
  );
  expect(render({ draft })).not.toContain("Everyone can read it now.");
  expect(render({ draft: { ...draft, revision: 4 }, isJustPublished: true })).not.toContain(
    "Everyone can",
  );
  const unpublished = { ...draft, publishedRevision: null };
  expect(render({ draft: unpublished, isJustPublished: true })).not.toContain("Everyone can");
});
