import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";

import { getGoogle } from "./accounts/google/google.server.ts";
import { ChatProvider } from "./chat/chat-provider.tsx";
import { findLivePage } from "./chat/live/live.server.tsx";
import { EnvironmentError, getEnv, getFirebaseConfig, type Env } from "./env.server.ts";
import { BUILD_ID } from "./http/edge-cache.server.ts";
import { PAGE_USER_HEADER, VISITOR } from "./http/headers.ts";
import { createHtmlCache } from "./http/html-cache.server.ts";
import { logError } from "./http/log-error.server.ts";
import { findRequestId } from "./http/outgoing-calls.server.ts";
import { createEtag, setFrameHeaders, setSecurityHeaders } from "./http/page-headers.server.ts";
import { getPageValues, setPartial } from "./http/page-record.server.ts";
import { UnavailableError } from "./http/unavailable-error.server.ts";
import { getPageHtml } from "./reading/page-html.server.ts";
import { PageHtmlContext } from "./reading/page-html.ts";
import { getAnalytics } from "./site/consent/consent.server.ts";
import { updateReadersLater } from "./stories/readers/readers.server.ts";
import { RequestIdContext } from "./site/message-page.tsx";
import { fontLinks } from "./styles/fonts.ts";
import { HtmlCacheContext, type HtmlCache } from "./ui/server-html.tsx";
import { NonceContext } from "./ui/inline-script.tsx";

// For `functions/`, which is bundled separately.
export { BUILD_ID };
export { recordCalls } from "./http/outgoing-calls.server.ts";
export { getRecentChangeTime, recordPage, setRecentChange } from "./http/page-record.server.ts";
export { renderOutdatedNote } from "./site/outdated-note/render-outdated-note.server.tsx";
export { updateReaders } from "./stories/readers/readers.server.ts";
export { getVisitorCookies, toVisitorRequest } from "./visitor-request.server.ts";

/** The number of requests that a page may make to other services. */
const MAX_REQUESTS = 3;

/**
 * Limited to 4 million characters, at most 8 MB; a chat message takes about 2,000 characters. Development stores nothing,
 * because components change.
 */
const htmlCache = createHtmlCache(import.meta.env.MODE === "development" ? 0 : 4_000_000);

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
  const values = getPageValues(context);
  const { nonce = crypto.randomUUID() } = values;
  const { serverHandoffStream, ...pageContext } = remixContext;
  const loaderData = await new Response(serverHandoffStream).text();

  headers.set("Content-Type", "text/html; charset=utf-8");
  // Pages show the signed-in user, so they must be revalidated. Unlike `no-store`, this allows the back/forward cache.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  headers.append("Vary", "Cookie");
  setPageUser(headers, remixContext);
  // The code of a link from an e-mail is as good as a password.
  if (new URL(request.url).searchParams.has("oobCode")) {
    headers.set("Referrer-Policy", "strict-origin");
  }
  const isStored = !headers.get("Cache-Control")?.includes("no-store");
  if (status === 200 && isStored) {
    const { text = "", end = "" } = getPageHtml(context) ?? {};
    const source = { buildId: BUILD_ID, url: request.url, loaderData, html: [text, end] };
    headers.set("ETag", await createEtag(source, values));
    if (isInBrowser(headers, context)) return new Response(null, { status: 304, headers });
  }

  // Not a stream: React renders a string several times as fast, and at this point the page has all of its data.
  const { cache, finish } = htmlCache.startPage();
  const html = finish(
    renderToString(
      <Page
        remixContext={pageContext}
        context={context}
        url={request.url}
        nonce={nonce}
        htmlCache={cache}
      />,
    ),
  );

  setPreloads(headers, stylesheets);
  const env = findEnv(context);
  const firebase = env && getFirebaseConfig(env);
  const google = env && getGoogle(context).origin;
  const isCounted = firebase !== null && getAnalytics(request, firebase)?.consent === "yes";
  setSecurityHeaders(headers, { nonce, firebase, google, isCounted });
  const script = pageContext.renderMeta?.didRenderScripts
    ? createDataScript(loaderData, nonce)
    : "";
  return new Response(`<!DOCTYPE html>${html}${script}`, { status, headers });
}

/** Sets the header with the page's user for the service worker, if the user is known. */
function setPageUser(headers: Headers, { staticHandlerContext }: EntryContext): void {
  const root: unknown = staticHandlerContext.loaderData["root"];
  if (typeof root !== "object" || root === null || !("user" in root)) return;
  const { user } = root;
  const hasId = typeof user === "object" && user !== null && "uid" in user;
  headers.set(PAGE_USER_HEADER, hasId ? String(user.uid) : VISITOR);
}

/** Whether the browser already has this page. A page that sets a cookie is always sent. */
function isInBrowser(headers: Headers, { cloudflare }: AppLoadContext): boolean {
  const etag = headers.get("ETag") ?? "";
  return headers.getSetCookie().length === 0 && Boolean(cloudflare.data?.etags?.includes(etag));
}

interface PageProps {
  remixContext: EntryContext;
  context: AppLoadContext;
  url: string;
  nonce: string;
  htmlCache: HtmlCache | null;
}

/** The React tree of a page. Exported for `npm run bench:ssr`. */
export function Page({ remixContext, context, url, nonce, htmlCache: cache }: PageProps) {
  return (
    <NonceContext.Provider value={nonce}>
      <RequestIdContext.Provider value={findRequestId() ?? ""}>
        <PageHtmlContext.Provider value={getPageHtml(context)}>
          <HtmlCacheContext.Provider value={cache}>
            <ChatProvider>
              <RemixServer context={remixContext} url={url} nonce={nonce} />
            </ChatProvider>
          </HtmlCacheContext.Provider>
        </PageHtmlContext.Provider>
      </RequestIdContext.Provider>
    </NonceContext.Provider>
  );
}

/**
 * Returns the script that passes the loaders' data to Remix in the browser, as `RemixServer` does in a stream.
 *
 * @see https://github.com/remix-run/remix/blob/remix%402.17.5/packages/remix-react/single-fetch.tsx
 */
function createDataScript(loaderData: string, nonce: string): string {
  const controller = "window.__remixContext.streamController";
  const text = JSON.stringify(loaderData).replaceAll(/[&><\u2028\u2029]/g, escapeCharacter);
  return `<script nonce="${nonce}">${controller}.enqueue(${text});${controller}.close();</script>`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Adds preload links for the style sheets and fonts of the first view. Cloudflare sends them as Early Hints.
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
  setPartial(error instanceof UnavailableError ? "unavailable" : "error");
  // The route's pattern, because addresses, headers and bodies may contain what the user typed.
  const { route = "a route" } = context.cloudflare.data?.record ?? {};
  const detail = error instanceof Error ? error.stack : error;
  const shown = error instanceof EnvironmentError ? error.message : detail;
  logError(`${request.method} ${route}`, shown);
};

/** Returns the environment, or `null` if it is invalid, so that the error page can still be rendered. */
function findEnv(context: AppLoadContext): Env | null {
  try {
    return getEnv(context);
  } catch {
    return null;
  }
}
