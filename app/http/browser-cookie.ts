import { toCookieName } from "./cookie-name.ts";

/** Returns the value of a cookie, or `undefined`. Also reads the cookie of earlier releases, whose name had no prefix. */
export function readCookie(name: string): string | undefined {
  return find(toCookieName(name, location.protocol)) ?? find(name);
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
  // Deletes the cookie of an earlier release.
  if (isSecure) document.cookie = `${name}=; Max-Age=0; Path=/`;
}

function find(name: string): string | undefined {
  const row = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  try {
    return row && decodeURIComponent(row.slice(name.length + 1));
  } catch {
    return undefined;
  }
}
