import { createDocumentId } from "#app/firebase/document-id.ts";
import { action, loader } from "#app/routes/create.tsx";
import type { DraftHead } from "#app/writing/draft.ts";
import type { EditorData } from "#app/writing/editor-data.ts";
import { signIn, startApp } from "./routes.ts";

/** Starts the app with a signed-in user who has no drafts, for tests of the Create page. */
export async function startCreatePage() {
  const app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const send = (form: Record<string, string>, path = "/create") =>
    app.send(action, path, { form, cookie });
  return {
    app,
    person,
    cookie,
    send,
    /** Returns the drafts in the side panel. */
    async list(path?: string): Promise<DraftHead[]> {
      const { sidePanel } = await this.load(path);
      if (sidePanel.kind !== "drafts" || !sidePanel.drafts) throw new Error("No list of drafts");
      return sidePanel.drafts;
    },
    /** Returns the loader's data for the editor. */
    async load(path = "/create"): Promise<EditorData> {
      const { data } = await app.send(loader, path, { cookie });
      // The loader's own type. `send` does not infer it.
      return (data as { editor: EditorData }).editor;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const story = { title: "Salt and Sand", text: "The tide\r\ncame in.", tags: "sea, slow" };

/** Returns the editor's form with a new story. */
export function createDraftForm(form: Record<string, string> = {}) {
  return { intent: "save", id: createDocumentId(), revision: "0", ...story, ...form };
}
