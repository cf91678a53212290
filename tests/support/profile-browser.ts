import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as post } from "#app/routes/create.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import type { NewAccount } from "./firebase.ts";
import { signIn, type SendOptions, type TestApp } from "./routes.ts";

/** Creates an account and signs it in, in a browser with a cookie jar. */
export async function visit(app: TestApp, account?: NewAccount) {
  const person = await app.firebase.addAccount(account);
  return { person, browser: openBrowser(app, await signIn(app, person)) };
}

export function openBrowser(app: TestApp, cookie: string) {
  const cookies = new Map(cookie.split("; ").map((pair) => splitOnce(pair)));

  async function send(handler: Parameters<TestApp["send"]>[0], path: string, options: SendOptions) {
    const header = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const outcome = await app.send(handler, path, { ...options, cookie: header });
    for (const [name, value] of outcome.headers.getSetCookie().map((line) => splitOnce(line))) {
      if (value.startsWith(";")) cookies.delete(name);
      else cookies.set(name, value.split(";")[0] ?? "");
    }
    return outcome;
  }

  return {
    open: (path = "/profile") => send(loader, path, {}),
    submit: (intent: string, fields: Record<string, string> = {}, path = "/profile") =>
      send(action, path, { form: { intent, ...fields } }),
    publish: (title: string) => {
      const story = { id: createDocumentId(), revision: "0", title, text: "Once upon a time." };
      return send(post, "/create", { form: { intent: "publish", ...story } });
    },
    sendMessage: (text: string) =>
      send(post, "/create", { form: toMessageForm({ id: createDocumentId(), text }) }),
  };
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}
