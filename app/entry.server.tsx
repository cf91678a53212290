import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";

import { getGoogle } from "./accounts/google/google.server.ts";
import { ChatProvider } from "./chat/chat-provider.tsx";
import { findLivePage } from "./chat/live/live.server.ts";
import { EnvironmentError, getEnv, getFirebaseConfig, type Env } from "./env.server.ts";
import { getPageValues, setPartial } from "./http/request-record.server.ts";
import { setFrameHeaders, setSecurityHeaders } from "./http/security-headers.server.ts";
import { getPageHtml } from "./reading/page-html.server.ts";
import { PageHtmlContext } from "./reading/page-html.ts";
import { getAnalytics } from "./site/consent/consent.server.ts";
import { updateReadersLater } from "./stories/readers/readers.server.ts";
import { RequestIdContext } from "./site/request-id.tsx";
import { fontLinks } from "./styles/fonts.ts";
import { NonceContext } from "./ui/nonce.ts";

// For `functions/`, which is bundled separately.
export { BUILD_ID } from "./build-id.server.ts";
export { recordCalls } from "./http/outgoing-calls.server.ts";
export { recordPage } from "./http/request-record.server.ts";
export { renderOutdatedNote } from "./site/outdated-note/render-outdated-note.server.tsx";
export { updateReaders } from "./stories/readers/readers.server.ts";
export { getVisitorCookies, toVisitorRequest } from "./visitor-request.server.ts";

/** The requests that a page may make to other services. */
const MAX_REQUESTS = 3;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  const { errors, matches } = remixContext.staticHandlerContext;
  const { routes } = remixContext.manifest;
  const stylesheets = matches.flatMap(({ route }) => routes[route.id]?.css ?? []);
  const renderLive = findLivePage(context);
  if (renderLive && !errors) {
    setFrameHeaders(headers);
    return new Response(renderLive(stylesheets), { headers });
  }

  const calls = context.cloudflare.data?.record?.calls ?? [];
  if (!errors && calls.length < MAX_REQUESTS) updateReadersLater(context);
  const id = getRequestId(context);
  const { nonce = crypto.randomUUID() } = getPageValues(context);
  let statusCode = status;
  const body = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <RequestIdContext.Provider value={id}>
        <PageHtmlContext.Provider value={getPageHtml(context)}>
          <ChatProvider>
            <RemixServer context={remixContext} url={request.url} nonce={nonce} />
          </ChatProvider>
        </PageHtmlContext.Provider>
      </RequestIdContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        statusCode = 500;
        setPartial();
        logError(error, request, id);
      },
    },
  );
  // A crawler may not wait for the end of a streamed page.
  if (isbot(request.headers.get("User-Agent"))) await body.allReady;

  headers.set("Content-Type", "text/html; charset=utf-8");
  // Pages show the signed-in user, so they must be revalidated. Unlike `no-store`, this allows the back/forward cache.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  headers.append("Vary", "Cookie");
  setPreloads(headers, stylesheets);
  const env = findEnv(context);
  const firebase = env && getFirebaseConfig(env);
  const google = env && getGoogle(context).origin;
  const isCounted = firebase !== null && getAnalytics(request, firebase)?.consent === "yes";
  setSecurityHeaders(headers, { nonce, firebase, google, isCounted });
  return new Response(body, { status: statusCode, headers });
}

/**
 * Names what the first view of every page needs. Cloudflare sends it as Early Hints, before the page.
 *
 * @see https://developers.cloudflare.com/pages/configuration/early-hints/
 */
function setPreloads(headers: Headers, stylesheets: string[]): void {
  for (const href of stylesheets) headers.append("Link", `<${href}>; rel=preload; as=style`);
  for (const { href, as, type } of fontLinks) {
    headers.append("Link", `<${href}>; rel=preload; as=${as}; type="${type}"; crossorigin`);
  }
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Aborted requests and 4xx responses are not server errors.
  const isClientError = isRouteErrorResponse(error) && error.status < 500;
  if (request.signal.aborted || isClientError) return;
  logError(error, request, getRequestId(context));
};

/** Returns the id that the request's line in the log has. Development has neither ids nor these lines. */
function getRequestId(context: AppLoadContext): string {
  return context.cloudflare.data?.record?.id ?? "";
}

/** Logs an error without the query, headers or body of the request. */
function logError(error: unknown, request: Request, id: string) {
  const { pathname } = new URL(request.url);
  const detail =
    error instanceof EnvironmentError
      ? error.message
      : error instanceof Error
        ? error.stack
        : error;
  // oxlint-disable-next-line no-console -- this is the server's log
  console.error(`[${id || "local"}] ${request.method} ${pathname}`, detail);
}

/** Returns `null` if the environment is invalid, so that the error page can still be rendered. */
function findEnv(context: AppLoadContext): Env | null {
  try {
    return getEnv(context);
  } catch {
    return null;
  }
}
