import { expect, test } from "vitest";

import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as savePositionInAccount } from "#app/routes/reading-positions.ts";
import { action as thank } from "#app/routes/thanks.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { open, ORCHARD, createPosition } from "./reading.ts";

const STORY = "the-salt-road-0123456789";
const BROWSER = { Accept: "text/html" };
const SCRIPT = { Accept: "*/*" };
const END = `/read/${STORY}#end`;

/** Starts the app with a story by Ana, and a reader. */
async function startStory() {
  const app = await startApp();
  await publishStory(app.firebase.hosts, {
    id: STORY,
    title: "The Salt Road",
    text: "One.\n\nTwo.",
  });
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  return {
    app,
    person,
    cookie,
    thank: (thanks: "0" | "1", more: Record<string, string> = {}, headers = BROWSER) =>
      app.send(thank, "/thanks", { form: { story: STORY, thanks, ...more }, cookie, headers }),
    async saveAt(percent: number) {
      const position = createPosition({ story: STORY, percent, time: Date.now() });
      const form = { position: JSON.stringify(position) };
      await app.send(savePositionInAccount, "/reading-positions", { form, cookie });
      await app.finish();
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** Returns the label of the button at the end of the story, or `null` if there is no button. */
async function readButton(app: TestApp, id: string, cookie?: string): Promise<string | null> {
  const end = String((await open(app, id, cookie))?.end);
  return /Thanked|Thank the writer/.exec(end)?.[0] ?? null;
}

async function readCounts({ firebase }: TestApp) {
  return readDocument(firebase.hosts, `storyCounts/${STORY}`);
}

function counts(opens: number, finishes: number, thanks: number) {
  return {
    opens: { integerValue: String(opens) },
    finishes: { integerValue: String(finishes) },
    thanks: { integerValue: String(thanks) },
  };
}

test("thanks the writer once, and undoes it with the second press", async () => {
  await using story = await startStory();
  const { app, cookie } = story;
  expect(await readButton(app, STORY, cookie)).toBe("Thank the writer");

  const first = await story.thank("1");
  expect([first.status, first.headers.get("Location")]).toEqual([303, END]);
  await story.thank("1");
  expect(await readButton(app, STORY, cookie)).toBe("Thanked");
  expect(await readCounts(app)).toMatchObject(counts(1, 0, 1));

  const undone = await story.thank("0", {}, SCRIPT);
  expect([undone.status, await readJson(undone)]).toEqual([
    200,
    { status: "done", message: "You've removed your thanks." },
  ]);
  expect(await readButton(app, STORY, cookie)).toBe("Thank the writer");
  expect(await readCounts(app)).toMatchObject(counts(1, 0, 0));
});

test("redirects a visitor to sign in, and back to the end of the story", async () => {
  await using story = await startStory();
  const { app } = story;
  expect(await readButton(app, STORY)).toBe("Thank the writer");

  const form = { story: STORY, thanks: "1" };
  const response = await app.send(thank, "/thanks", { form });

  expect(String((await open(app, STORY))?.end)).toContain(
    'href="/login?returnTo=%2Fread%2Fthe-salt-road-0123456789%23end&amp;reason=thank"',
  );
  expect(response.status).toBe(303);
  const to = new URL(response.headers.get("Location") ?? "", "http://localhost");
  expect(to.pathname).toBe("/login");
  expect(Object.fromEntries(to.searchParams)).toEqual({ returnTo: END, reason: "thank" });
});

test("does not offer thanks to the writer, or for a story without one, and rejects them", async () => {
  await using story = await startStory();
  const { app, person, cookie } = story;
  const uid = { stringValue: person.localId };
  await changeDocument(app.firebase.hosts, `stories/${STORY}`, { uid });

  expect(await readButton(app, STORY, cookie)).toBeNull();
  expect(await readButton(app, ORCHARD, cookie)).toBeNull();
  expect(await story.thank("1")).toMatchObject({
    status: 403,
    data: { message: "You can't thank yourself." },
  });
  const form = { story: ORCHARD, thanks: "1" };
  expect(await app.send(thank, "/thanks", { form, cookie })).toMatchObject({ status: 404 });
});

test("rejects thanks from a form that another user has opened, and for an unknown story", async () => {
  await using story = await startStory();

  expect(await story.thank("1", { uid: "tomas" })).toMatchObject({ status: 401 });
  expect(await story.thank("1", { story: "../users" })).toMatchObject({ status: 400 });
});

test("reports that thanks can't be saved", async () => {
  expectConsoleError();
  await using story = await startStory();
  const { app, cookie } = story;
  const broken = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const form = { story: STORY, thanks: "1" };

  const response = await broken.send(thank, "/thanks", { form, cookie });
  expect([response.status, await readJson(response)]).toMatchObject([
    503,
    { hint: "Nothing was changed; try again." },
  ]);
});

test("counts a reader once: when they begin, and when they finish", async () => {
  await using story = await startStory();
  const { app } = story;

  await story.saveAt(10);
  await story.saveAt(40);
  expect(await readCounts(app)).toMatchObject(counts(1, 0, 0));
  await story.saveAt(100);
  await story.saveAt(20);
  await story.saveAt(100);
  expect(await readCounts(app)).toMatchObject(counts(1, 1, 0));

  await story.thank("1");
  expect(await readCounts(app)).toMatchObject(counts(1, 1, 1));
});

test("counts a reader without scripts, and no visitor", async () => {
  await using story = await startStory();
  const { app, cookie } = story;
  const html = String((await open(app, STORY))?.html);
  const paragraph = /id="(p-[^"]+)"/.exec(html)?.[1] ?? "";
  const form = { story: STORY, paragraph };

  await app.send(savePosition, "/reading-position", { form });
  await app.finish();
  expect(await readCounts(app)).toMatchObject({ error: { code: 404 } });
  await app.send(savePosition, "/reading-position", { form, cookie });
  await app.finish();
  expect(await readCounts(app)).toMatchObject(counts(1, 0, 0));
});
