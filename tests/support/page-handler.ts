import * as entry from "#app/entry.server.tsx";
import type { PageValues } from "#app/load-context.ts";
import { withPageCache } from "../../functions/page-cache/with-page-cache.ts";
import { createMemoryCache } from "./memory-cache.ts";

type Context = Parameters<Parameters<typeof withPageCache>[1]>[0];
type Handler = (
  values: PageValues | undefined,
  isDocumentCached: boolean,
) => Response | Promise<Response>;

const ORIGIN = "https://inkglade.example";
const SECRET = "a secret that is at least 32 characters";
const HOST = "127.0.0.1:1";
const ENV = {
  SESSION_SECRET: SECRET,
  FIREBASE_API_KEY: "key",
  FIREBASE_PROJECT_ID: "inkglade",
  FIREBASE_AUTH_EMULATOR_HOST: HOST,
  FIREBASE_DATABASE_EMULATOR_HOST: HOST,
  FIRESTORE_EMULATOR_HOST: HOST,
};

/** Starts the page cache in front of responses that a test chooses, instead of the app's. */
export function startPageHandler() {
  const { cache } = createMemoryCache();
  const deferred: Promise<unknown>[] = [];
  const renderings: string[] = [];
  let handler: Handler = () => createPage("");
  const handle = withPageCache(
    { entry: { module: entry } },
    ({ request, data }: Context) => {
      renderings.push(new URL(request.url).pathname);
      return handler(data.values, data.isDocumentCached === true);
    },
    () => cache,
  );
  const waitUntil = (promise: Promise<unknown>) => void deferred.push(promise);

  return {
    /** The paths of everything that was rendered. */
    renderings,
    createPage,
    /** Sets how pages are rendered from now on. */
    setHandler(next: Handler): void {
      handler = next;
    },
    /** @param address a path, or an address on another host of the site */
    visit(address: string, init: RequestInit = {}): Promise<Response> {
      const request = new Request(new URL(address, ORIGIN), init);
      return handle({ request, env: ENV, data: {}, waitUntil });
    },
    /** Resolves when all promises passed to `waitUntil` are settled. */
    async finish(): Promise<void> {
      while (deferred.length > 0) await Promise.all(deferred.splice(0));
    },
  };
}

function createPage(text: string, status = 200): Response {
  const html = `<!DOCTYPE html><div data-outdated-note=""></div><main>${text}</main>`;
  return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
