import { expect, test } from "vitest";

import { NO_TEXT, type DraftHead } from "#app/writing/draft.ts";
import type { ActionError } from "#app/session/action-result.ts";
import { startSessionSync } from "#app/session/use-session-sync.ts";
import type { EditorData, OpenDraft, TypedDraft } from "#app/writing/editor-data.ts";
import { EditorPage, UnavailableDraft } from "#app/writing/editor/editor-page.tsx";
import { shouldRevalidate } from "#app/writing/editor/use-editor-data.ts";
import { NEW_DRAFT } from "#tests/support/autosave.ts";
import { getAttribute, renderPage } from "#tests/ui/render.tsx";

const ID = "1".repeat(20);

const unread: OpenDraft = { ...NEW_DRAFT, id: ID };

const editor: EditorData = {
  uid: "ana",
  draft: unread,
  isUnavailable: true,
  sidePanel: { kind: "drafts", drafts: null, older: null },
  isReviewing: false,
  isJustPublished: false,
  announcement: null,
  trashed: null,
  notKept: null,
  locale: { language: "en", timeZone: "UTC" },
  now: 0,
};

const ana = { uid: "ana", email: "ana@example.com", displayName: "Ana", photoURL: null };

const firebase = {
  apiKey: "",
  projectId: "",
  appId: undefined,
  databaseURL: undefined,
  emulators: {},
};

test("shows the typed text and its revision again when the database did not respond", () => {
  const typed = {
    ...unread,
    intent: "save",
    revision: 7,
    title: "Salt and Sand",
    text: "New words",
  };
  const actionData = {
    result: {
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
      canUpload={false}
      editor={editor}
      user={ana}
      actionData={actionData}
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

test("says that a story is too long, instead of asking for a first line", () => {
  const html = renderTyped({ field: "text", hint: "A story can have up to 500,000 characters." });

  expect(html).toContain("A story can have up to 500,000 characters.");
  expect(html).toContain("Not saved.");
  expect(html).not.toContain("Write a first line");
});

test("asks for a first line before a publication, without another error", () => {
  const html = renderTyped({ ...NO_TEXT, message: "Not published." });

  expect(html).toContain("Write a first line before you publish.");
  expect(html).not.toContain("Not published.");
});

test("keeps the choice that a story is still being written when it was not saved", () => {
  expect(renderTyped({}, { isOngoing: true })).toMatch(/<input[^>]*name="isOngoing"[^>]*checked/);
  expect(renderTyped({})).not.toMatch(/<input[^>]*name="isOngoing"[^>]*checked/);
});

test.each([
  ["the session has ended", null],
  ["another user has signed in", { ...ana, uid: "tomas" }],
])("the typed text stays its user's when %s", (_, user) => {
  const html = renderTyped({}, { uid: "ana" }, user);

  expect(getAttribute(html, /name="uid"/, "value")).toBe("ana");
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

/** Renders the page after the typed text was not saved. */
function renderTyped(
  error: Partial<ActionError>,
  typed: Partial<TypedDraft> = {},
  user: typeof ana | null = ana,
) {
  const message = "Not saved.";
  return renderPage(
    "/create",
    <EditorPage
      canUpload={false}
      editor={{ ...editor, isUnavailable: false }}
      user={user}
      actionData={{
        result: { status: "error", reason: "invalid", message, ...error },
        typed: { ...unread, intent: "save", text: "New words", ...typed },
        message: undefined,
      }}
      offlineHint={undefined}
      firebase={firebase}
    >
      {null}
    </EditorPage>,
  );
}

function render(view: Partial<EditorData>, displayName: string | null = "Ana", path = "/create") {
  const shown = { ...editor, isUnavailable: false, ...view };
  const html = renderPage(
    path,
    <EditorPage
      canUpload={false}
      editor={shown}
      user={{ ...ana, displayName }}
      actionData={undefined}
      offlineHint={undefined}
      firebase={firebase}
    >
      {null}
    </EditorPage>,
  );
  // React separates adjacent texts by a comment.
  return html.replaceAll("<!-- -->", "");
}

test("lists the drafts in their tab, the last changed first, and offers a new story", () => {
  const draft = { ...unread, ...head, text: "The tide came in." };
  const sidePanel: EditorData["sidePanel"] = {
    kind: "drafts",
    drafts: [older, head],
    older: null,
  };
  const html = render({ draft, sidePanel }, "Ana", "/create?panel=drafts");

  const first = html.indexOf(`href="/create?draft=${head.id}"`);
  expect(first).toBeGreaterThan(0);
  expect(html.indexOf("Untitled")).toBeGreaterThan(first);
  expect(html).toContain("open now");
  expect(html).toMatch(/<a[^>]*href="\/create\?new"[^>]*>New story<\/a>/);
});

test("offers a new story, not the last one, next to a draft that was deleted elsewhere", () => {
  const html = render({ draft: { ...unread, ...head, text: "Once", deletedAt: 1 } });

  expect(html).toMatch(/Restore draft.*<a[^>]*href="\/create\?new"[^>]*>New story<\/a>/s);
});

test("shows no draft when there is none", () => {
  const html = render(
    { sidePanel: { kind: "drafts", drafts: [], older: null } },
    "Ana",
    "/create?panel=drafts",
  );

  expect(html).toContain("Nothing here yet. Start with a first line.");
});

test("chooses the room in the side panel, until the address names another tab", () => {
  const readTab = (path: string) =>
    /<aside.*?aria-current="page"[^>]*>(\w+)<.*<\/aside>/s.exec(render({}, "Ana", path))?.[1];

  expect(readTab("/create")).toBe("Room");
  expect(readTab("/create?panel=drafts")).toBe("Drafts");
  expect(readTab(`/create?draft=${head.id}&version=1`)).toBe("Versions");
});

test("shows a user without a name what readers will see before publishing", () => {
  const sentence = "You have no display name, so readers will see “Anonymous”.";

  const html = render({}, null);
  expect(html).toContain(sentence);
  expect(html).toMatch(/<a[^>]*href="\/profile"[^>]*>Add your name<\/a>/);
  expect(render({}, "Ana")).not.toContain(sentence);
});

test("shows that the story was published, under which name, and where it is", () => {
  const storyId = "salt-and-sand-0123456789";
  const draft = { ...unread, ...head, storyId, publishedRevision: 3, text: "The tide came in." };

  const html = render({ draft, isJustPublished: true }, null);
  const text = html.replaceAll(/<[^>]+>/g, "");
  expect(text).toContain("Salt and Sand is published.");
  expect(text).toContain("Published as Anonymous. Everyone can read it now.");
  expect(html).toMatch(/<a[^>]*href="\/read\/salt-and-sand-0123456789"[^>]*>Read it<\/a>/);
  expect(html).toMatch(
    new RegExp(
      `<a[^>]*href="/create\\?draft=${head.id}&amp;panel=room&amp;announce#room"[^>]*>Tell the room</a>`,
    ),
  );
  expect(render({ draft })).not.toContain("Everyone can read it now.");
  expect(render({ draft: { ...draft, revision: 4 }, isJustPublished: true })).not.toContain(
    "Everyone can",
  );
  const unpublished = { ...draft, publishedRevision: null };
  expect(render({ draft: unpublished, isJustPublished: true })).not.toContain("Everyone can");
});

test("says before an update, but not before a first publication, that readers see it at once", () => {
  const draft = { ...unread, ...head, publishedRevision: 2 };
  const update = "Readers see your changes at once. A new chapter is marked as new.";

  expect(render({ draft, isReviewing: true })).toContain(update);
  expect(render({ draft: { ...draft, publishedRevision: null } })).not.toContain(update);
});

test("keeps the text when the user changes in another tab, but loads a draft that is opened", () => {
  const currentUrl = new URL("https://inkglade.example/create?draft=a");
  const isLoaded = (path: string) =>
    shouldRevalidate({
      currentUrl,
      nextUrl: new URL(path, currentUrl),
      currentParams: {},
      nextParams: {},
      defaultShouldRevalidate: true,
    });

  startSessionSync();

  expect(isLoaded("/create?draft=a")).toBe(false);
  expect(isLoaded("/create?draft=a#room")).toBe(false);
  expect(isLoaded("/create?draft=b")).toBe(true);
});
