import { wait } from "#app/http/wait.ts";

const RETRY_DELAY_MS = 3000;

/**
 * Makes revalidations wait for the connection. Remix would replace the page, and what is being typed, with an error when
 * the request gets no response, or that of a proxy. A navigation to another page still fails, and ends a revalidation that
 * waits.
 *
 * Remix has no option for this, so it wraps `window.fetch`.
 */
export function retryRevalidations(): void {
  const fetchOnce = window.fetch;
  window.fetch = async (input, init) => {
    if (!(input instanceof URL && isRevalidation(input, init))) return fetchOnce(input, init);
    const signal = init?.signal ?? undefined;
    for (;;) {
      try {
        const response = await fetchOnce(input, init);
        if (!isOfProxy(response)) return response;
      } catch (error) {
        if (signal?.aborted) throw error;
      }
      await waitForConnection(signal);
    }
  };
}

/** Remix marks its own responses. */
function isOfProxy({ status, headers }: Response): boolean {
  return status >= 500 && !headers.has("X-Remix-Response");
}

/** Remix fetches a page's data from `/path.data`, with `_routes` when it needs those of some routes only. */
function isRevalidation({ pathname, searchParams }: URL, init?: RequestInit): boolean {
  const wanted = new URLSearchParams(searchParams);
  wanted.delete("_routes");
  const { pathname: path, search } = window.location;
  const isSamePage = pathname === `${path === "/" ? "/_root" : path}.data`;
  const isGet = (init?.method ?? "GET") === "GET";
  return isGet && isSamePage && wanted.toString() === new URLSearchParams(search).toString();
}

async function waitForConnection(signal?: AbortSignal): Promise<void> {
  do await wait(RETRY_DELAY_MS, signal);
  while (!navigator.onLine);
}
