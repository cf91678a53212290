import { expect, test } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { action } from "#app/routes/create.tsx";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { buildDocx, p, r, style, STYLES } from "#tests/support/docx.ts";

const DOCUMENT = buildDocx({
  styles: STYLES,
  body: p(r("The Tide"), style("Titel")) + p(r("It was late.", '<w:u w:val="single"/>')),
});

/** Starts the Create page, with a function that sends its form with a file, as browsers do without scripts. */
async function startImport() {
  const page = await startCreatePage();
  return {
    ...page,
    importFile: (
      file: Uint8Array | string,
      form: Record<string, string>,
      name = "tide.docx",
      cookie = page.cookie,
    ) => {
      const body = new FormData();
      for (const [field, value] of Object.entries(form)) body.set(field, value);
      body.set("intent", "import");
      body.set("file", new File([new Uint8Array(Buffer.from(file))], name));
      return page.app.send(action, "/create", { body, cookie });
    },
  };
}

/** The editor's form with nothing in it. */
const createEmptyForm = () => ({
  id: createDocumentId(),
  revision: "0",
  title: "",
  text: "",
  tags: "",
  description: "",
  cover: "",
});

test("imports a file into the empty editor, and says what was not kept", async () => {
  await using page = await startImport();
  const form = createEmptyForm();
  const { status, headers } = await page.importFile(DOCUMENT, form);
  expect(status).toBe(303);
  const { draft, notKept } = await page.load(headers.get("Location") ?? "");
  expect(draft).toMatchObject({ id: form.id, title: "The Tide", text: "It was late." });
  expect(notKept).toEqual(["Stories have no underlining: only the words were kept."]);
});

test("saves what was typed before it imports a file into a new draft", async () => {
  await using page = await startImport();
  const typed = createDraftForm({ text: "Typed." });
  const { status, headers } = await page.importFile("## One\n\n- salt\n", typed, "tide.md");
  expect(status).toBe(303);
  const path = headers.get("Location") ?? "";
  expect(path).not.toContain(typed.id);
  const { draft, notKept } = await page.load(path);
  expect(draft).toMatchObject({ title: "", text: "## One\n\n- salt\n" });
  expect(notKept).toEqual([]);
  expect((await page.load(`/create?draft=${typed.id}`)).draft.text).toBe("Typed.");
  expect(await page.list()).toHaveLength(2);
});

test("keeps what was typed when a file can't be imported", async () => {
  await using page = await startImport();
  const typed = createDraftForm({ text: "Typed." });
  const refused: [Uint8Array | string, RegExp][] = [
    ["", /Choose a file first/],
    ["%PDF-1.7", /A PDF has pages/],
    [new Uint8Array(5 * 1024 * 1024 + 1), /larger than 5 MB/],
  ];
  for (const [file, hint] of refused) {
    const { status, data } = await page.importFile(file, typed);
    expect(status).toBe(400);
    expect(data).toMatchObject({
      result: { message: "Not imported.", hint: expect.stringMatching(hint) },
      typed: { id: typed.id, text: "Typed." },
    });
  }
  expect(await page.list()).toHaveLength(0);
});

test("reads no file of a visitor or of someone else, and keeps what was typed", async () => {
  await using page = await startImport();
  const typed = createDraftForm({ text: "Typed." });
  for (const [form, cookie] of [
    [typed, ""],
    [{ ...typed, uid: "someone-else" }, page.cookie],
  ] as const) {
    const { status, data } = await page.importFile("%PDF-1.7", form, "tide.pdf", cookie);
    expect(status).toBe(401);
    expect(data).toMatchObject({
      result: { message: "Not imported.", hint: expect.stringContaining("Your text is safe") },
      typed: { id: typed.id, text: "Typed." },
    });
  }
  expect(await page.list()).toHaveLength(0);
});

test("keeps what was typed when the form of a file is larger than any", async () => {
  await using page = await startImport();
  const { status } = await page.importFile(new Uint8Array(16 * 1024 * 1024), createEmptyForm());
  expect(status).toBe(413);
});

test("keeps an unsent message when a file is imported", async () => {
  await using page = await startImport();
  const form = createEmptyForm();
  const { status, data } = await page.importFile(DOCUMENT, { ...form, message: "Hello" });
  expect(status).toBe(200);
  expect(data).toMatchObject({
    result: { status: "saved" },
    typed: { id: form.id, title: "The Tide", text: "It was late." },
    message: { text: "Hello" },
  });
});
