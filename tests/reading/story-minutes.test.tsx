import type { ReactElement } from "react";
import { expect, test } from "vitest";

import { ChatProvider } from "#app/chat/chat-provider.tsx";
import { Reader } from "#app/reading/reader/reader.tsx";
import type { ReadingData } from "#app/reading/reading-data.ts";
import { loader as loadHome } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { EditorForm } from "#app/writing/editor/editor-form.tsx";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { renderPage } from "#tests/ui/render.tsx";
import { open } from "./reading.ts";

const ID = "the-salt-road-0123456789";
const firebase = {
  apiKey: "",
  projectId: "",
  appId: undefined,
  databaseURL: undefined,
  emulators: {},
};

// 3.04 minutes of English and 3.5 of Japanese, with punctuation and URLs, which are not words.
const ENGLISH = `# The road\n\n${"They walked — all *night* — to the [sea](https://example.com/a/b). ".repeat(99)}\n\nAt last, home.`;
const JAPANESE = "吾輩は猫である。名前はまだ無い。".repeat(80);

test.each([
  ["English", ENGLISH, 4],
  ["Japanese", JAPANESE, 4],
])(
  "shows the same minutes for %s in the editor and on the reading page",
  async (_, text, minutes) => {
    await using app = await startApp();
    await publishStory(app.firebase.hosts, { id: ID, title: "The Salt Road", text });

    const story = (await open(app, ID)) as unknown as ReadingData; // as the loader made it
    const reading = readMinutes(
      `/read/${ID}`,
      // The end of the story shows the minutes of another one.
      <Reader story={{ ...story, end: "" }} uid={undefined} firebase={firebase} hiddenUids={[]} />,
    );
    const editing = readMinutes("/create", <Editor text={text} />);

    expect(reading).toEqual([minutes]);
    expect(editing).toEqual([minutes]);
  },
);

test("rounds the minutes left once, from the words left", async () => {
  await using app = await startApp();
  // A little more than three minutes in two equal parts, each of which takes less than two.
  const half = "word ".repeat(350).trim();
  await publishStory(app.firebase.hosts, {
    id: ID,
    title: "The Salt Road",
    text: `${half}\n\n${half}x`,
  });
  const story = (await open(app, ID)) as unknown as ReadingData; // as the loader made it
  const paragraph = /id="(p-[^"]+)"/.exec(story.html ?? "")?.[1] ?? "";

  const saved = await app.send(savePosition, "/reading-position", {
    form: { story: ID, paragraph },
  });
  const home = await app.send(loadHome, "/home", { cookie: toCookieHeader(saved.headers) });

  expect(home.data).toMatchObject({ inProgress: [{ percent: 49, minutesLeft: 2 }] });
});

function Editor({ text }: { text: string }) {
  return (
    <EditorForm
      canUpload={false}
      draft={{
        id: "1".repeat(20),
        revision: 0,
        title: "",
        description: "",
        tags: [],
        cover: null,
        text,
        updatedAt: null,
        storyId: null,
        publishedRevision: null,
        deletedAt: null,
      }}
      isIdInUrl={false}
      isNew={false}
      isReviewing={false}
      isUnavailable={false}
      user={null}
      actionData={undefined}
      locale={{ language: "en", timeZone: "UTC" }}
      now={0}
      firebase={firebase}
      onOpened={() => {}}
      isJustPublished={false}
      onSaved={() => {}}
    />
  );
}

/** Returns every number of minutes on a page. */
function readMinutes(path: string, element: ReactElement): number[] {
  const page = renderPage(path, <ChatProvider>{element}</ChatProvider>);
  const words = page.replaceAll(/<!--.*?-->/g, "");
  return Array.from(words.matchAll(/(\d+) min\b/g), ([, minutes]) => Number(minutes));
}
