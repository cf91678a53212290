import { wait } from "#app/http/wait.ts";
import { REVALIDATION_HEADER } from "./revalidation.ts";

const FIRST_RETRY_MS = 3000;
/** Each delay is twice as long as the one before, up to this. */
const MAX_RETRY_MS = 60_000;

/**
 * Makes revalidations wait for the connection. When a request gets no response, or that of a proxy, Remix would replace the
 * page, and what is being typed, with an error. A navigation to another page still fails, and ends a waiting revalidation.
 * Also marks the requests of revalidations for the server.
 *
 * Remix has no option for this, so this function wraps `window.fetch`. A `clientLoader` could catch the error, but with
 * single fetch its route would send a second request for each navigation.
 */
export function retryRevalidations(): void {
  const fetchOnce = window.fetch;
  window.fetch = async (input, init) => {
    if (!(input instanceof URL && revalidatesPage(input, init))) return fetchOnce(input, init);
    const signal = init?.signal ?? undefined;
    const headers = new Headers(init?.headers);
    headers.set(REVALIDATION_HEADER, "1");
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)) {
      try {
        const response = await fetchOnce(input, { ...init, headers });
        if (isFromRemix(response)) return response;
      } catch (error) {
        if (signal?.aborted) throw error;
      }
      await waitForConnection(retryMs, signal);
    }
  };
}

/** Whether Remix has sent a response. Other responses are pages of a proxy or of Cloudflare. */
function isFromRemix({ headers }: Response): boolean {
  return (
    headers.has("X-Remix-Response") ||
    headers.get("Content-Type")?.startsWith("text/x-script") === true
  );
}

/**
 * Whether a request revalidates the page. Remix fetches data from `/path.data`, with `_routes` when it needs only some
 * routes.
 */
function revalidatesPage({ pathname, searchParams }: URL, init?: RequestInit): boolean {
  const wanted = new URLSearchParams(searchParams);
  wanted.delete("_routes");
  const { pathname: path, search } = window.location;
  const isSamePage = pathname === `${path === "/" ? "/_root" : path}.data`;
  const isGet = (init?.method ?? "GET") === "GET";
  return isGet && isSamePage && wanted.toString() === new URLSearchParams(search).toString();
}

async function waitForConnection(ms: number, signal?: AbortSignal): Promise<void> {
  do await wait(ms, signal);
  while (!navigator.onLine);
}
