import { toPicturePath } from "#app/http/picture-path.ts";

export interface Picture {
  src: string;
  /** What it shows, for readers who can't see it. */
  alt: string;
}

/** Returns a web or e-mail address as a URL; `null` for anything else, because the server removes other links. */
export function toLinkAddress(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address) || /\s/.test(text) || text === "") return null;
  return /^(https?|mailto):$/.test(new URL(address).protocol) ? address : null;
}

/**
 * Returns the path of a picture on this site, or the address of one elsewhere; `null` unless it begins with `https`, because
 * pages show no others.
 */
export function toPictureAddress(typed: string): string | null {
  const address = toLinkAddress(typed);
  const isHere = typed.trim().startsWith("/") || address?.startsWith(`${location.origin}/`);
  const path = isHere ? toPicturePath(typed.trim()) : null;
  return path ?? (address?.startsWith("https:") && !typed.trim().startsWith("/") ? address : null);
}
