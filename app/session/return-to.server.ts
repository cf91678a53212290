import * as z from "zod";

import { createCookie } from "#app/http/cookie.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { parseJson } from "#app/http/text.ts";
import { SIGN_IN_REASONS, type ReturnTo, type SignInReason } from "./return-to.ts";

/** A cookie, because forms, links from e-mails and Google's redirect all need the same destination. */
const cookie = createCookie("return-to", { maxAgeSeconds: 30 * 60 });

/** Longer than any query of this app, and short enough for browsers to store. */
const MAX_SEARCH_LENGTH = 1000;

/** The labels of pages that require sign-in and that the profile links to afterwards, by path. */
const LABELS = new Map([["/create", "Create"]]);

const reasonSchema = z.enum(SIGN_IN_REASONS).optional().catch(undefined);

const cookieSchema = z.object({
  path: z.string().refine((path) => path !== "" && toSafePath(path, "") === path),
  isOffered: z.boolean(),
  reason: reasonSchema,
});

/**
 * Returns the headers that make sign-in redirect to a path; none for a path that is not on this site.
 *
 * @param reason shown by Sign In if it is a `SignInReason`
 */
export function setReturnTo(
  request: Request,
  returnTo: unknown,
  reason?: unknown,
): Record<string, string> {
  const path = toSafePath(returnTo, "");
  if (path === "") return {};
  return writeCookie(request, path, { isOffered: false, reason: reasonSchema.parse(reason) });
}

/**
 * Returns the headers that make the profile link to the requested page after sign-in, or to none if the page has no label.
 * Sign-in itself redirects to the profile.
 */
export function setOfferedReturnTo(request: Request): Record<string, string> {
  const { pathname, search } = new URL(request.url);
  if (!LABELS.has(pathname)) return clearReturnTo(request);
  return writeCookie(request, pathname + search, { isOffered: true, reason: "write" });
}

/** Returns the page to go to after sign-in, or `null` when none is set or the cookie was tampered with. */
export function getReturnTo(request: Request): ReturnTo | null {
  const data = readCookie(request);
  if (!data) return null;
  if (!data.isOffered) return { path: data.path, label: null };
  const label = LABELS.get(new URL(data.path, request.url).pathname);
  return label === undefined ? null : { path: data.path, label };
}

/** Returns what the user has to sign in for, if a page has led them to Sign In. */
export function getSignInReason(request: Request): SignInReason | undefined {
  return readCookie(request)?.reason;
}

/** Returns the headers that remove the cookie; none if there is no cookie. */
export function clearReturnTo(request: Request): Record<string, string> {
  return cookie.read(request) === undefined ? {} : { "Set-Cookie": cookie.remove(request) };
}

function readCookie(request: Request) {
  return cookieSchema.safeParse(parseJson(cookie.read(request))).data;
}

function writeCookie(
  request: Request,
  to: string,
  options: { isOffered: boolean; reason: SignInReason | undefined },
) {
  const { pathname, search, hash } = new URL(to, request.url);
  const path = pathname + (search.length > MAX_SEARCH_LENGTH ? "" : search) + hash;
  return { "Set-Cookie": cookie.write(request, JSON.stringify({ path, ...options })) };
}
