import { readForm, readLinks, toFormData } from "./plain-forms.ts";
import { startWaitedTime } from "./waited-time.ts";

const MAX_REDIRECTS = 5;

type FormBody = URLSearchParams | FormData;

/** A page in a browser without JavaScript. */
export interface PlainPage {
  path: string;
  /** The fragment of the address, with its `#`, or nothing. */
  hash: string;
  html: string;
  status: number;
  /** Milliseconds from the request until the end of the page, with redirects. */
  ms: number;
  /** How long this process was idle in this time. */
  waitedMs: number;
}

export type PlainBrowser = ReturnType<typeof createPlainBrowser>;

/** Returns a browser without JavaScript: it keeps cookies and follows redirects. */
export function createPlainBrowser(
  handle: (request: Request) => Promise<Response>,
  origin: string,
  cookies = new Map<string, string>(),
) {
  async function open(path: string, form?: FormBody, from?: PlainPage): Promise<PlainPage> {
    const startedAt = performance.now();
    const getWaitedMs = startWaitedTime();
    let url = new URL(path, origin);
    let body = form;
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await handle(
        new Request(url, {
          headers: {
            Accept: "text/html",
            Cookie: cookie,
            ...(body && { Origin: origin }),
            ...(from && { Referer: new URL(from.path, origin).href }),
          },
          redirect: "manual",
          ...(body && { method: "POST", body }),
        }),
      );
      storeCookies(cookies, response.headers);
      const location = response.headers.get("Location");
      const html = await response.text();
      if (location === null) {
        const ms = Math.round(performance.now() - startedAt);
        const waitedMs = Math.round(getWaitedMs());
        const { pathname, search, hash } = url;
        return { path: pathname + search, hash, html, status: response.status, ms, waitedMs };
      }
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`${path} redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    /** Opens a page. */
    get: (path: string) => open(path),
    /** Sends a form that no page has. */
    post: (path: string, form: Record<string, string>) => open(path, new URLSearchParams(form)),
    /**
     * Fills in fields of the form with this button, and presses the button.
     *
     * @throws when the page has no such form or field
     */
    submit(
      page: PlainPage,
      button: string,
      fields: Record<string, string> = {},
      files: Record<string, File> = {},
    ) {
      const { method, action, isMultipart, values } = readForm(page, button);
      for (const [name, value] of Object.entries(fields)) {
        if (!values.has(name)) throw new Error(`The form has no field "${name}"`);
        values.set(name, value);
      }
      const path = new URL(action, new URL(page.path, origin));
      if (method === "post") {
        return open(path.href, isMultipart ? toFormData(values, files) : values, page);
      }
      path.search = values.toString();
      return open(path.href, undefined, page);
    },
    /** Follows the first link with this text or label. */
    follow(page: PlainPage, text: string | RegExp) {
      const isMeant = (link: string) =>
        typeof text === "string" ? link === text : text.test(link);
      const href = readLinks(page).find((link) => isMeant(link.text))?.href;
      if (href === undefined) throw new Error(`The page has no link "${text}"`);
      return open(new URL(href, new URL(page.path, origin)).href, undefined, page);
    },
    /** Deletes the cookie with this name, or all. */
    clearCookies: (name?: string) => void (name ? cookies.delete(name) : cookies.clear()),
    setCookies: (headers: Headers) => storeCookies(cookies, headers),
    /** Returns a browser without cookies, for another person. */
    another: () => createPlainBrowser(handle, origin),
  };
}

function storeCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const header of headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    if (/Max-Age=0/.test(header)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
