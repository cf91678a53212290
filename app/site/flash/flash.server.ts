import { createCookie } from "#app/http/cookie.server.ts";
import { findFlash, type Flash } from "./flash.ts";

const cookie = createCookie("flash", { maxAgeSeconds: 60 });

/** Returns the headers that make the next page show a message once. */
export function setFlash(request: Request, flash: Flash) {
  return { "Set-Cookie": cookie.write(request, flash) };
}

/** Returns the message to show, or `null`. */
export function getFlash(request: Request): Flash | null {
  return findFlash(cookie.read(request)) ?? null;
}

/** Returns the headers that remove the message that was shown; none if there was no message. */
export function clearFlash(request: Request, flash: Flash | null): Record<string, string> {
  return flash ? { "Set-Cookie": cookie.remove(request) } : {};
}

/** Returns the headers that explain why the user has to sign in again; none for a user who signed out. */
export function setSessionEndedFlash(request: Request, hasEnded: boolean): Record<string, string> {
  return hasEnded ? setFlash(request, "session-ended") : {};
}
