import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
} from "@remix-run/cloudflare";

import type { FormError } from "#app/http/form.ts";
import { readFileForm } from "#app/http/form.server.ts";
import { toHex } from "#app/http/hash.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { PICTURE_PATH } from "#app/http/picture-path.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { ActionFailure, runAction, toJsonResponse } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { cleanPicture, PictureError, type PictureExtension } from "./clean-picture.server.ts";
import { ADDED_PARAM, NEW_PICTURE_PATH } from "./new-picture-path.ts";
import { findPictureBucket } from "./picture-bucket.server.ts";

/** Of one picture, in bytes. */
export const MAX_PICTURE_BYTES = 5_000_000;

/** Of a form with a picture: the fields around it take little. */
const MAX_PICTURE_FORM_BYTES = MAX_PICTURE_BYTES + 100_000;

/** How many pictures a user can have, and how many bytes they can have together. */
const MAX_PICTURES = 300;
const MAX_BYTES = 150_000_000;

const TYPES: Record<PictureExtension, string> = {
  avif: "image/avif",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
};

/** In seconds. A browser that has shown a picture can show it for a day after it was removed. */
const MAX_AGE = 86_400;

const MESSAGE = "Not uploaded.";

/**
 * Stores a picture as a user, without what it says besides what it shows. The same picture is stored once.
 *
 * @returns its path
 * @throws {ActionFailure | UnavailableError}
 */
export async function storePicture(
  context: AppLoadContext,
  { uid, idToken }: AuthUser,
  file: Blob,
): Promise<string> {
  const bucket = findPictureBucket(context);
  if (!bucket) {
    const hint = "This site doesn't store pictures. Use a link to one on the web.";
    throw new ActionFailure({ reason: "denied", message: MESSAGE, hint });
  }
  // While the token cannot be renewed, nobody has confirmed who it is.
  if (!idToken) throw new ActionFailure({ reason: "unavailable" });
  if (file.size > MAX_PICTURE_BYTES) throw new ActionFailure(TOO_LARGE);
  const { bytes, extension } = readPicture(new Uint8Array(await file.arrayBuffer()));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes), 0, 16);
  const path = `/pictures/${uid}/${toHex(digest)}.${extension}`;
  if (!PICTURE_PATH.test(path)) throw new ActionFailure({ reason: "denied" });

  const pictures = await bucket.list(uid);
  const stored = pictures.find((picture) => picture.path === path);
  if (stored?.size === 0) throw new ActionFailure(REMOVED);
  if (stored) return path;
  const total = pictures.reduce((sum, { size }) => sum + size, bytes.length);
  if (pictures.length >= MAX_PICTURES || total > MAX_BYTES) throw new ActionFailure(FULL);
  await bucket.put(path, bytes);
  return path;
}

export const PICTURE_TOO_LARGE = {
  message: MESSAGE,
  hint: `A picture can have up to ${MAX_PICTURE_BYTES / 1_000_000} MB.`,
} as const;

const TOO_LARGE = { reason: "invalid", ...PICTURE_TOO_LARGE } as const;

const FULL = {
  reason: "too-many",
  message: MESSAGE,
  hint: `You can have ${MAX_PICTURES} pictures, and ${MAX_BYTES / 1_000_000} MB of them.`,
} as const;

const REMOVED = {
  reason: "denied",
  message: MESSAGE,
  hint: "An operator has removed this picture.",
} as const;

/** @throws {ActionFailure} */
function readPicture(bytes: Uint8Array<ArrayBuffer>) {
  try {
    return cleanPicture(bytes);
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new ActionFailure({ reason: "invalid", message: MESSAGE, hint: error.message });
  }
}

/**
 * Stores a posted picture. Responds to scripts with its path, and shows it, or why it was not stored, on the page to
 * browsers without them.
 */
export async function uploadPicture(args: ActionFunctionArgs) {
  const { request, context } = args;
  const session = getUser(args);
  // A visitor's file is not read.
  const posted = (await session).user
    ? await readFileForm(request, ["uid"], ["picture"], MAX_PICTURE_FORM_BYTES)
    : null;
  const options = { uid: posted?.form.get("uid") ?? null, limit: "picture", session } as const;
  const run = await runAction(args, options, async (user) => {
    if (!posted) throw new ActionFailure(TOO_LARGE);
    const file = posted.files.picture;
    if (!file) throw new ActionFailure({ reason: "invalid", message: "Choose a picture first." });
    return { status: "ok", address: await storePicture(context, user, file) };
  });
  const { error, value, status, headers } = run;
  if (!isDocumentRequest(request)) return toJsonResponse(run);
  if (value) {
    const added = new URLSearchParams({ [ADDED_PARAM]: value.address });
    return redirect(`${NEW_PICTURE_PATH}?${added}`, { headers, status: 303 });
  }
  if (run.user) return data<FormError>(error, { status, headers });
  const flash = setSessionEndedFlash(request, run.hasEnded);
  return redirect("/login", { headers: joinHeaders(headers, flash), status: 303 });
}

/** Sends a picture. Its name is made of its content, so it never changes; but it can be removed. */
export async function sendPicture({
  request,
  context,
  params,
}: LoaderFunctionArgs): Promise<Response> {
  const path = `/pictures/${params.uid}/${params.name}`;
  const bucket = PICTURE_PATH.test(path) ? findPictureBucket(context) : null;
  if (!bucket) return sendText(404);
  const etag = `"${params.name}"`;
  const isUnchanged = request.headers.get("If-None-Match")?.includes(etag) ?? false;
  const isHead = isUnchanged || request.method === "HEAD";
  const found = await catchUnavailable<ReadableStream<Uint8Array> | null | undefined>(
    isHead ? bucket.check(path) : bucket.open(path),
  );
  if (found instanceof UnavailableError) return sendText(503);
  if (found === undefined) return sendText(404);
  const extension = path.slice(path.lastIndexOf(".") + 1) as PictureExtension; // the pattern allows no other
  const headers = {
    "Content-Type": TYPES[extension],
    "Cache-Control": `public, max-age=${MAX_AGE}, immutable`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    ETag: etag,
  };
  if (isUnchanged) return new Response(null, { status: 304, headers });
  return new Response(found, { headers });
}

function sendText(status: 404 | 503): Response {
  const text =
    status === 404 ? "There is no such picture.\n" : "We can't load this picture right now.\n";
  return new Response(text, { status, headers: { "Cache-Control": "no-store" } });
}
