import { expect, test } from "vitest";

import type { DraftHead } from "#app/writing/draft.ts";
import type { DeskView, OpenDraft } from "#app/writing/editor-data.ts";
import { CreateScreen } from "#app/writing/editor/editor-page.tsx";
import { UnreachableDraft } from "#app/writing/editor/unavailable-draft.tsx";
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

const desk: DeskView = {
  uid: "ana",
  draft: unread,
  isUnreachable: true,
  papers: { kind: "drafts", drafts: null },
  isJustPublished: false,
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
      hint: "We can't reach your account right now.",
    },
    typed,
    message: undefined,
  } as const;

  const html = renderPage(
    `/create?draft=${ID}`,
    <CreateScreen
      desk={desk}
      uid="ana"
      name="Ana"
      reply={reply}
      unreached={undefined}
      firebase={firebase}
    >
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

function render(view: Partial<DeskView>, name: string | null = "Ana") {
  const shown = { ...desk, isUnreachable: false, ...view };
  const html = renderPage(
    "/create",
    <CreateScreen
      desk={shown}
      uid="ana"
      name={name}
      reply={undefined}
      unreached={undefined}
      firebase={firebase}
    >
      {null}
    </CreateScreen>,
  );
  // React's marks between two texts.
  return html.replaceAll("<!-- -->", "");
}

test("whoever comes back to Create is offered the last draft first, then the others", () => {
  const html = render({ papers: { kind: "drafts", drafts: [head, older] } });

  const offer = html.indexOf("Continue “Salt and Sand”");
  expect(offer).toBeGreaterThan(0);
  expect(html.indexOf("Untitled")).toBeGreaterThan(offer);
  expect(html.indexOf('id="manuscript"')).toBeGreaterThan(html.indexOf("Untitled"));
  expect(getAttribute(html, /<a[^>]*draft=2/, "href")).toBe(`/create?draft=${head.id}`);
  expect(html).not.toContain("New story");
});

test("beside an open draft a new story can be begun", () => {
  const draft = { ...unread, ...head, text: "The tide came in." };
  const html = render({ draft, papers: { kind: "drafts", drafts: [head, older] } });

  expect(html).toMatch(/<a[^>]*href="\/create"[^>]*>New story<\/a>/);
  expect(html).not.toContain("Continue “");
  expect(html.indexOf("New story")).toBeLessThan(html.indexOf('id="manuscript"'));
});

test("whoever has no draft yet is offered none", () => {
  const html = render({ papers: { kind: "drafts", drafts: [] } });

  expect(html).not.toContain("Continue “");
  expect(html).toContain("Nothing here yet. Start with a first line.");
});

test("a writer without a name is told before publishing what readers will see, and where to change it", () => {
  const sentence = "You have no display name, so readers will see “Anonymous”.";

  const html = render({}, null);
  expect(html).toContain(sentence);
  expect(html).toMatch(/<a[^>]*href="\/profile"[^>]*>Add your name<\/a>/);
  expect(render({}, "Ana")).not.toContain(sentence);
});

test("a page that answers a publication says so by its buttons, and under which name", () => {
  const draft = { ...unread, ...head, publishedRevision: 3, text: "The tide came in." };

  const html = render({ draft, isJustPublished: true }, null);
  expect(readElement(html, "published")).toContain(
    "Published as Anonymous. Everyone can read it now.",
  );
  expect(render({ draft })).not.toContain("Everyone can read it now.");
  expect(render({ draft: { ...draft, revision: 4 }, isJustPublished: true })).not.toContain(
    "Everyone can",
  );
  const withdrawn = { ...draft, publishedRevision: null };
  expect(render({ draft: withdrawn, isJustPublished: true })).not.toContain("Everyone can");
});
