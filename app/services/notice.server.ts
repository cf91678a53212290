import { parse, serialize } from "cookie";

import { findNotice, type Notice } from "#app/schemas/notice.ts";

const NAME = "notice";
const MAX_AGE_SECONDS = 60;
const OPTIONS = { httpOnly: true, path: "/", sameSite: "lax" } as const;

/** Returns the headers by which the next page that can says something once. */
export function keepNotice(notice: Notice) {
  return { "Set-Cookie": serialize(NAME, notice, { ...OPTIONS, maxAge: MAX_AGE_SECONDS }) };
}

/** Returns what is to be said now. */
export function getNotice(request: Request): Notice | null {
  return findNotice(parse(request.headers.get("Cookie") ?? "")[NAME]) ?? null;
}

/** Returns the headers that keep it from being said twice: none when there is nothing to say. */
export function forgetNotice(notice: Notice | null): Record<string, string> {
  return notice ? { "Set-Cookie": serialize(NAME, "", { ...OPTIONS, maxAge: 0 }) } : {};
}

/** Returns the headers by which somebody learns why they have to sign in again; none for whoever signed out. */
export function sayEnd(hasEnded: boolean): Record<string, string> {
  return hasEnded ? keepNotice("session-ended") : {};
}
