import { vi } from "vitest";

import { createAppHandler } from "./app-handler.ts";
import type { TestAccount } from "./firebase.ts";
import { createMemoryCache } from "./memory-cache.ts";
import { toCookieHeader, type TestApp } from "./routes.ts";

export const ORIGIN = "https://inkglade.example";

/** A story to publish, and its address. */
export const STORY = {
  id: "a-distant-sea-0123456789",
  title: "A Distant Sea",
  text: "The sea kept its distance.",
};
export const STORY_PATH = `/read/${STORY.id}`;

export interface Visit {
  method?: "HEAD";
  cookie?: string;
  language?: string;
  zone?: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
}

/** Starts the whole app with a page cache. Tests stop the clock, and `pass` moves it forward. */
export async function startCachedApp(app: TestApp, variables: Record<string, string> = {}) {
  const memory = createMemoryCache();
  const deferred: Promise<unknown>[] = [];
  const renderings: string[] = [];
  const waitUntil = (promise: Promise<unknown>) => void deferred.push(promise);
  /** Returns another isolate of the same data centre. */
  const createIsolate = (changes: Record<string, string> = {}) =>
    createAppHandler(
      { ...app.env, ...variables, ...changes },
      {
        cache: memory.cache,
        waitUntil,
        onHandle: ({ url }) => void renderings.push(new URL(url).pathname),
      },
    );
  let handle = await createIsolate();

  const handleUncached = await createAppHandler({ ...app.env, ...variables });

  function toRequest(path: string, options: Visit): Request {
    const { method = "GET", cookie, language, zone, headers, form } = options;
    const request = new Request(ORIGIN + path, {
      method,
      redirect: "manual",
      headers: {
        Accept: "text/html",
        ...(cookie && { Cookie: cookie }),
        ...(language && { "Accept-Language": language }),
        ...(form && { Origin: ORIGIN }),
        ...headers,
      },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    if (zone) Object.assign(request, { cf: { timezone: zone } });
    return request;
  }

  const visit = async (path: string, options: Visit = {}) => handle(toRequest(path, options));

  return {
    memory,
    /** The paths of everything that was not served from the cache. */
    renderings,
    visit,
    /** Visits the same app without the cache. */
    visitUncached: (path: string, options: Visit) => handleUncached(toRequest(path, options)),
    /** Signs in with the form, and returns the `Cookie` header. */
    async signIn({ email, password }: Pick<TestAccount, "email" | "password">): Promise<string> {
      return toCookieHeader((await visit("/login", { form: { email, password } })).headers);
    },
    read: async (path: string, options?: Visit) => (await visit(path, options)).text(),
    /** Resolves when all promises passed to `waitUntil` are settled. */
    async finish(): Promise<void> {
      while (deferred.length > 0) await Promise.all(deferred.splice(0));
    },
    /** Lets time pass. */
    pass: (ms: number) => void vi.setSystemTime(Date.now() + ms),
    /** Starts the app in another data centre, whose cache is empty. */
    async addDataCentre() {
      const { cache } = createMemoryCache();
      const handleThere = await createAppHandler(
        { ...app.env, ...variables },
        { cache, waitUntil },
      );
      return {
        read: async (path: string, options: Visit = {}) =>
          (await handleThere(toRequest(path, options))).text(),
      };
    },
    /** Continues in another isolate, which finds only what is in the cache of the data centre. */
    async changeIsolate(changes?: Record<string, string>): Promise<void> {
      handle = await createIsolate(changes);
    },
  };
}

/** Whether the response came from the cache. */
export function isCached({ headers }: Response): boolean {
  return /(?:^|, )cache(?:,|$)/.test(headers.get("Server-Timing") ?? "");
}

/** Returns the nonce of the policy, and those of the page's scripts. */
export async function readNonces(response: Response) {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const html = await response.text();
  return {
    html,
    policy: /'nonce-([^']+)'/.exec(policy)?.[1],
    scripts: [...html.matchAll(/<script[^>]* nonce="([^"]*)"/g)].map(([, nonce]) => nonce),
    /** Scripts that the policy would not run. */
    bare: [...html.matchAll(/<script(?![^>]* nonce=)[^>]*>/g)].map(([tag]) => tag),
  };
}
