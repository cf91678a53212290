import { createCookie } from "#app/http/cookie.server.ts";
import { FLASH_TEXTS, type Flash, type FlashText } from "./flash.ts";

const cookie = createCookie("flash", { maxAgeSeconds: 60 });

/** Returns the headers that make the next page show a message once. */
export function setFlash(request: Request, flash: Flash) {
  return { "Set-Cookie": cookie.write(request, flash) };
}

/** Returns the flash of the page, or `null`. */
export function getFlash(request: Request): Flash | null {
  const name = cookie.read(request) ?? "";
  const isFlash = Object.hasOwn(FLASH_TEXTS, name) || /^message-[a-z]+$/.test(name);
  return isFlash ? (name as Flash) : null; // one of them
}

/** Returns the headers that remove the message that was shown; none if there was no message. */
export function clearFlash(request: Request, flash: Flash | null): Record<string, string> {
  return flash ? { "Set-Cookie": cookie.remove(request) } : {};
}

/** Returns the headers that explain why the user has to sign in again; none for a user who signed out. */
export function setSessionEndedFlash(request: Request, hasEnded: boolean): Record<string, string> {
  return hasEnded ? setFlash(request, "session-ended") : {};
}

/** Returns the message of a flash; `null` for none, and for a flash that its page shows in another way. */
export function getFlashText(flash: Flash | null): FlashText | null {
  const texts: Partial<Record<Flash, FlashText | null>> = FLASH_TEXTS;
  return (flash && texts[flash]) ?? null;
}
