import { createCookie } from "#app/http/cookie.server.ts";
import { findNotice, type Notice } from "./flash.ts";

const cookie = createCookie("notice", { maxAgeSeconds: 60 });

/** Returns the headers by which the next page that can says something once. */
export function keepNotice(request: Request, notice: Notice) {
  return { "Set-Cookie": cookie.write(request, notice) };
}

/** Returns what is to be said now. */
export function getNotice(request: Request): Notice | null {
  return findNotice(cookie.read(request)) ?? null;
}

/** Returns the headers that keep it from being said twice: none when there is nothing to say. */
export function forgetNotice(request: Request, notice: Notice | null): Record<string, string> {
  return notice ? { "Set-Cookie": cookie.remove(request) } : {};
}

/** Returns the headers by which somebody learns why they have to sign in again; none for whoever signed out. */
export function sayEnd(request: Request, hasEnded: boolean): Record<string, string> {
  return hasEnded ? keepNotice(request, "session-ended") : {};
}
