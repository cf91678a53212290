import { parse, serialize } from "cookie";

import { toCookieName } from "./cookie.ts";

export interface Cookie {
  /** Returns the value, or `undefined` without the cookie. */
  read(request: Request): string | undefined;
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
 */
export function createCookie(
  name: string,
  { maxAgeSeconds, isForScripts = false }: CookieOptions,
): Cookie {
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
    read(request) {
      const cookies = parse(request.headers.get("Cookie") ?? "");
      return cookies[toCookieName(name, getProtocol(request))];
    },
    write: (request, value) => write(request, value, maxAgeSeconds),
    remove: (request) => write(request, "", 0),
  };
}

function getProtocol({ url }: Request): string {
  return new URL(url).protocol;
}
