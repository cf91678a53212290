import { parse, serialize } from "cookie";

import { toCookieName } from "./cookie-name.ts";

export interface Cookie {
  /** Returns the value, or `undefined` without the cookie. */
  read(request: Request): string | undefined;
  /**
   * Returns the cookie that releases without the prefix set on https, unless the prefixed cookie exists. Do not trust it: a
   * subdomain can set it too.
   */
  readUnprefixed(request: Request): string | undefined;
  /** Returns the `Set-Cookie` value that stores `value`. */
  write(request: Request, value: string): string;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  remove(request: Request): string;
}

export interface CookieOptions {
  maxAgeSeconds: number;
  /** Whether scripts can read the cookie. If so, it is not `HttpOnly`. @default false */
  isForScripts?: boolean;
}

/**
 * Creates a cookie. On https it is `Secure` and has the prefix `__Host-`; on http, which is local, it has its plain name.
 * functions/response-headers.ts deletes the plain cookie of an earlier release when the prefixed one is set.
 */
export function createCookie(
  name: string,
  { maxAgeSeconds, isForScripts = false }: CookieOptions,
): Cookie {
  function read(request: Request): string | undefined {
    return getAll(request)[toCookieName(name, getProtocol(request))];
  }

  function write(request: Request, value: string, maxAge: number): string {
    const protocol = getProtocol(request);
    return serialize(toCookieName(name, protocol), value, {
      httpOnly: !isForScripts,
      maxAge,
      path: "/",
      sameSite: "lax",
      secure: protocol === "https:",
    });
  }

  return {
    read,
    readUnprefixed(request) {
      const isPrefixed = getProtocol(request) === "https:";
      return isPrefixed && read(request) === undefined ? getAll(request)[name] : undefined;
    },
    write: (request, value) => write(request, value, maxAgeSeconds),
    remove: (request) => write(request, "", 0),
  };
}

/** Creates a cookie that does not identify anyone. Also reads the cookie of earlier releases. */
export function createPreferenceCookie(name: string, options: CookieOptions) {
  const cookie = createCookie(name, options);
  return {
    ...cookie,
    read: (request: Request) => cookie.read(request) ?? cookie.readUnprefixed(request),
  };
}

function getAll(request: Request) {
  return parse(request.headers.get("Cookie") ?? "");
}

function getProtocol({ url }: Request): string {
  return new URL(url).protocol;
}
