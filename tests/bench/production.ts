import { createDocumentId } from "#app/firebase/document-id.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startFirebase, type TestAccount } from "#tests/support/firebase.ts";
import { toCookieHeader } from "#tests/support/routes.ts";

const LINES = [
  "Did anyone else go back and reread the door scene?",
  "The fourth one is green on purpose.",
  "From the top or from the bottom?",
  "From the bottom. That is the whole trick, and I only saw it the second time, on the train home.",
];

export interface ProductionOptions {
  /** The number of messages in the room. @default 50, as many as a page shows */
  messages?: number;
  /** The folder of the build. @default the working directory */
  root?: string;
  /** The script of a Worker that runs the app, instead of Pages. */
  workerScript?: string;
  /** The port that debuggers and profilers connect to. */
  inspectorPort?: number;
  /** Whether visitors may get pages from the page cache. @default true */
  hasPageCache?: boolean;
  /** Returns other hosts for the app to use, such as those of a proxy. */
  proxyHosts?: (hosts: FirebaseHosts) => Promise<FirebaseHosts>;
  /** Called with each line that the app logs as an error. @default prints it */
  onError?: (line: string) => void;
}

/** Starts the production build on workerd, with a signed-in user and messages in the room. */
export async function startProduction({
  messages = 50,
  root,
  workerScript,
  inspectorPort,
  hasPageCache = true,
  proxyHosts,
  onError = console.error,
}: ProductionOptions = {}) {
  const firebase = await startFirebase();
  const hosts = proxyHosts ? await proxyHosts(firebase.hosts) : firebase.hosts;
  const pages = await startPages({
    root,
    port: await findFreePort(),
    isWorker: workerScript !== undefined,
    workerScript,
    inspectorPort,
    variables: {
      SESSION_SECRET: "a secret that is at least 32 characters",
      ...getLocalVariables(hosts),
      ...(!hasPageCache && { PAGE_CACHE: "off" }),
    },
    onError,
  });
  const person = await firebase.addAccount({ displayName: "Mira Oduya" });
  const cookie = await signIn(pages.url, person);
  // Bypasses the app, because its rate limit allows fewer messages.
  await fillRoom(firebase, person, messages, LINES);
  return {
    url: pages.url,
    hosts: firebase.hosts,
    person,
    /** The `Cookie` header of the signed-in user. */
    cookie,
    /** Publishes a story of the signed-in user, and returns the id of its draft. */
    async publishStory(): Promise<string> {
      const id = createDocumentId();
      const draft = {
        intent: "publish",
        id,
        revision: "0",
        title: "Salt",
        text: LINES.join("\n\n"),
      };
      await post(pages.url, "/create", draft, cookie);
      return id;
    },
    /** Signs in a new user and returns the `Cookie` header. */
    signInNewUser: async () => signIn(pages.url, await firebase.addAccount()),
    async [Symbol.asyncDispose]() {
      await pages[Symbol.asyncDispose]();
      await firebase[Symbol.asyncDispose]();
    },
  };
}

async function signIn(url: string, { email, password }: TestAccount): Promise<string> {
  return toCookieHeader((await post(url, "/login", { email, password })).headers);
}

async function post(url: string, path: string, form: Record<string, string>, cookie = "") {
  const response = await fetch(url + path, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { Origin: url, Cookie: cookie },
    redirect: "manual",
  });
  if (response.status >= 400) throw new Error(`${path} responded with ${response.status}`);
  return response;
}
