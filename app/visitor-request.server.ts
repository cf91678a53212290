import type { AppLoadContext } from "@remix-run/cloudflare";
import { parse } from "cookie";

import { EnvironmentError, getEnv, getFirebaseConfig } from "./env.server.ts";
import { toCookieName } from "./http/cookie.ts";
import { isDownload } from "./http/page-request.server.ts";
import { SETTINGS_COOKIE } from "./reading/reading-data.ts";
import { getReadingSettings } from "./reading/settings.server.ts";
import { serializeSettings } from "./reading/settings.ts";
import { getAnalytics } from "./site/consent/consent.server.ts";
import { getLocale } from "./site/locale/locale.server.ts";
import type { Locale } from "./site/locale/locale.ts";
import { getTheme } from "./site/theme/theme.server.ts";
import { setOpenedStory } from "./stories/catalogue.server.ts";
import { deviceHidden, deviceSaved } from "./stories/library/library.server.ts";
import { getDevicePositions } from "./stories/positions/positions.server.ts";
import { readSearch, toSearchFields } from "./stories/search.ts";

/** A request for a page that all visitors with the same key share. */
export interface VisitorRequest {
  /** Everything that the page depends on. */
  key: string;
  /** For a request for a page's data, the key of the page as a document; otherwise `null`. */
  documentKey: string | null;
  /** Returns the request to render the page from. It contains only values that are in the key. */
  createRequest: () => Request;
  locale: Locale;
  /**
   * When the visitor gets the shared page. `if-incomplete`: the page may show stories that this browser has in progress,
   * saved or hidden, so only if its own page is incomplete. `if-story-missing`: the page is a user's own, so only if its story cannot
   * be read.
   */
  access: "shared" | "if-incomplete" | "if-story-missing";
}

/** The cookies in the key, without the prefix that they have on https. */
const KEY_COOKIES = new Set(["theme", "analytics", SETTINGS_COOKIE.name]);

/**
 * Cookies that no cached page depends on: `recent` is for /surprise, `hides` for the pages of its user, and `renewed` for
 * functions/response-headers.ts. The others are Cloudflare's, Google's and Meta's, which the app never reads.
 */
const IGNORED_COOKIES =
  /^(?:recent|hides|renewed|__cf_bm|__cflb|_cfuvid|cf_clearance|_ga(?:_\w+)?|_gcl_au|_fbp)$/;

/** The cookies with the stories in progress and the saved stories of this browser, and what is hidden in it. */
const LIST_COOKIES = new Set(["places", "saved", "unwanted"]);

/** The parameters of searches that are cached. Searches for words are not, because they rarely repeat. */
const SEARCH_PARAMS = new Set(["type", "tag", "writer", "lang", "sort", "after"]);

/** Parameters that other sites add to links. */
const TRACKING_PARAM = /^(?:utm_\w+|fbclid|gclid|mc_cid|mc_eid)$/;

/** Pages that show no stories. */
const OTHER_PAGES = new Set(["/login", "/register", "/about", "/how-the-room-works", "/privacy"]);
const STORY_PATH = /^\/read\/([^/]+)$/;

/**
 * Returns the request from which a shared page is rendered. Returns `null` if the page is for this browser only: because
 * its address is not cached, or because of another cookie, such as a session cookie, unless it is the page of a story.
 *
 * Whatever the page's loaders read is in the key, so two pages with the same key cannot differ.
 */
export function toVisitorRequest(
  received: Request,
  context: AppLoadContext,
): VisitorRequest | null {
  if (received.method !== "GET" && received.method !== "HEAD") return null;
  const address = toPageAddress(received.url);
  const names = readCookieNames(received);
  if (!address) return null;
  const { pathname } = address;
  const isVisitor = names.every(
    (name) => KEY_COOKIES.has(name) || IGNORED_COOKIES.test(name) || LIST_COOKIES.has(name),
  );
  if (!isVisitor && findStoryId(pathname) === undefined) return null;
  const hasOwnLists = names.some((name) => LIST_COOKIES.has(name)) && hasLists(received, pathname);
  const visitorAccess = hasOwnLists ? "if-incomplete" : "shared";
  try {
    const shared = toSharedRequest(received, address, context);
    return { ...shared, access: isVisitor ? visitorAccess : "if-story-missing" };
  } catch (error) {
    // The page itself reports the error.
    if (error instanceof EnvironmentError) return null;
    throw error;
  }
}

/** Whether a page shows any story of the browser's lists. */
function hasLists(request: Request, pathname: string): boolean {
  if (OTHER_PAGES.has(pathname)) return false;
  const id = findStoryId(pathname);
  // `/home` shows all of them.
  if (id === undefined) return true;
  // The room shows how far its visitor has read in any story that a message quotes.
  return (
    getDevicePositions(request, null).length > 0 ||
    deviceSaved.list(request).some((story) => story.id === id) ||
    // The page leads to other stories.
    deviceHidden.list(request).length > 0
  );
}

function toSharedRequest(
  received: Request,
  { href, documentHref, pathname, protocol }: PageAddress,
  context: AppLoadContext,
): Omit<VisitorRequest, "access"> {
  const locale = getLocale(received, context);
  const analytics = getAnalytics(received, getFirebaseConfig(getEnv(context)));
  const cookies = Object.entries({
    theme: getTheme(received),
    analytics: analytics?.consent === "yes" || analytics?.consent === "no" ? analytics.consent : "",
    [SETTINGS_COOKIE.name]: STORY_PATH.test(pathname)
      ? serializeSettings(getReadingSettings(received))
      : "",
  }).flatMap(([name, value]) =>
    value ? [`${toCookieName(name, protocol)}=${encodeURIComponent(value)}`] : [],
  );
  const headers = {
    "Accept-Language": locale.language,
    Cookie: cookies.join("; "),
    ...(analytics?.consent === "never" && { "Sec-GPC": "1" }),
  };
  const variant = Object.entries(headers).flat().join("\n");
  const toKey = (address: string) => `${address}\n${locale.timeZone}\n${variant}`;
  return {
    key: toKey(href),
    documentKey: documentHref === href ? null : toKey(documentHref),
    createRequest: () => createRequest(href, headers, { timezone: locale.timeZone }),
    locale,
  };
}

/** @param cf what Cloudflare knows about the visitor. Only workerd's requests have it. */
function createRequest(
  address: string,
  headers: Record<string, string>,
  cf: { timezone: string },
): Request {
  const init = { headers, cf };
  const request = new Request(address, init);
  return "cf" in request ? request : Object.assign(request, { cf });
}

/** Returns the `Set-Cookie` header that this visitor gets with a shared page, if any. */
export function getVisitorCookies(request: Request): Record<string, string> {
  const id = findStoryId(toDocumentPath(new URL(request.url).pathname));
  return id === undefined ? {} : setOpenedStory(request, id);
}

interface PageAddress {
  /** The address without its hash and without parameters that the page ignores. */
  href: string;
  /** The same for the document, if `href` is the address of its data. */
  documentHref: string;
  /** The path of the document. */
  pathname: string;
  protocol: string;
}

/** Returns the normalized address of a page; `undefined` if such pages are not cached. */
function toPageAddress(received: string): PageAddress | undefined {
  const url = new URL(received);
  const { origin, protocol } = url;
  const pathname = toDocumentPath(url.pathname);
  const isHome = pathname === "/home";
  if (!isHome && !OTHER_PAGES.has(pathname) && findStoryId(pathname) === undefined)
    return undefined;
  let search = "";
  if (url.search !== "") {
    const names = [...url.searchParams.keys()].filter((name) => !TRACKING_PARAM.test(name));
    if (names.some((name) => !isHome || !SEARCH_PARAMS.has(name))) return undefined;
    const fields = readSearch(url.searchParams);
    const query = String(
      new URLSearchParams(isHome ? toSearchFields(fields, { after: fields.after }) : []),
    );
    if (query !== "") search = `?${query}`;
  }
  return {
    href: origin + url.pathname + search,
    documentHref: origin + pathname + search,
    pathname,
    protocol,
  };
}

/** Converts the path of a page's data to the path of the page. */
function toDocumentPath(pathname: string): string {
  return pathname.replace(/\.data$/, "");
}

/** Returns the id of the story that a page shows. */
function findStoryId(pathname: string): string | undefined {
  const [, segment] = STORY_PATH.exec(pathname) ?? [];
  if (segment === undefined) return undefined;
  try {
    const id = decodeURIComponent(segment);
    return isDownload(id) ? undefined : id;
  } catch {
    return undefined;
  }
}

/** Returns the names of the cookies without the prefix that they have on https. */
function readCookieNames({ headers }: Request): string[] {
  const names = Object.keys(parse(headers.get("Cookie") ?? ""));
  return names.map((name) => name.replace(/^__Host-/, ""));
}
