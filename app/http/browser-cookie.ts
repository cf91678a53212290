import { toCookieName } from "./cookie-name.ts";

/** Returns the value of a cookie, or `undefined`. */
export function readCookie(name: string): string | undefined {
  const start = `${toCookieName(name, location.protocol)}=`;
  const row = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  try {
    return row && decodeURIComponent(row.slice(start.length));
  } catch {
    return undefined;
  }
}

/** Writes a cookie with the name and attributes that `createCookie` gives it on the server. */
export function writeCookie(
  { name, maxAgeSeconds }: { name: string; maxAgeSeconds: number },
  value: string,
): void {
  const isSecure = location.protocol === "https:";
  const pair = `${toCookieName(name, location.protocol)}=${encodeURIComponent(value)}`;
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax`;
  document.cookie = `${pair}; ${attributes}${isSecure ? "; Secure" : ""}`;
}
