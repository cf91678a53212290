const MAX_REDIRECTS = 5;

/** A page as a browser without JavaScript has it. */
export interface PlainPage {
  path: string;
  html: string;
  status: number;
  /** Milliseconds from the request until the end of the page, with redirects. */
  ms: number;
}

export type PlainBrowser = ReturnType<typeof createPlainBrowser>;

/** Returns a browser without JavaScript: it keeps cookies and follows redirects. */
export function createPlainBrowser(
  handle: (request: Request) => Promise<Response>,
  origin: string,
  cookies = new Map<string, string>(),
) {
  async function open(path: string, form?: Record<string, string>): Promise<PlainPage> {
    const startedAt = performance.now();
    let url = new URL(path, origin);
    let body = form && new URLSearchParams(form);
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await handle(
        new Request(url, {
          headers: { Cookie: cookie, ...(body && { Origin: origin }) },
          redirect: "manual",
          ...(body && { method: "POST", body }),
        }),
      );
      storeCookies(cookies, response.headers);
      const location = response.headers.get("Location");
      const html = await response.text();
      if (location === null) {
        const ms = Math.round(performance.now() - startedAt);
        return { path: url.pathname + url.search, html, status: response.status, ms };
      }
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`${path} redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    /** Opens a page. */
    get: (path: string) => open(path),
    /** Submits a form. */
    post: (path: string, form: Record<string, string>) => open(path, form),
    clearCookies: () => cookies.clear(),
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
