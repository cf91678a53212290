import { createDocumentId } from "#app/firebase/document-id.ts";
import { action, loader } from "#app/routes/create.tsx";
import type { DraftHead } from "#app/writing/draft.ts";
import type { DeskView } from "#app/writing/editor-data.ts";
import { signIn, startApp } from "./routes.ts";

/** Signs a new user in and opens /create, without any draft. */
export async function openEditorPage() {
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
    /** Returns the drafts listed on /create. */
    async list(path?: string): Promise<DraftHead[]> {
      const { papers } = await this.desk(path);
      if (papers.kind !== "drafts" || !papers.drafts) throw new Error("There is no list of drafts");
      return papers.drafts;
    },
    /** Returns what /create shows at an address. */
    async desk(path = "/create"): Promise<DeskView> {
      const { data } = await app.send(loader, path, { cookie });
      // The loader's own type, which `send` does not know.
      return (data as { desk: DeskView }).desk;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const story = { title: "Salt and Sand", text: "The tide\r\ncame in.", tags: "sea, slow" };

/** Returns the fields of the editor's form for a new story. */
export function newStoryForm(form: Record<string, string> = {}) {
  return { intent: "save", id: createDocumentId(), revision: "0", ...story, ...form };
}
