import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { toSafePath } from "#app/http/safe-path.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { getUser } from "#app/session/user.server.ts";
import { getRateLimits } from "#app/session/rate-limit.server.ts";
import { BUILT_IN_WRITER, findBuiltIn } from "#app/stories/built-in.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { getReadingMinutes } from "#app/stories/reading-time.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import {
  getLibrary,
  removeDeviceSaved,
  addDeviceSaved,
  type ListResult,
} from "./library.server.ts";
import { MAX_FOLLOWED, MAX_SAVED, type SavedStory } from "./library.ts";

const UNAVAILABLE = "Not saved. We can't reach our database right now. Try again in a moment.";
const BROWSER_FULL = "This browser can't hold more saved stories. Remove one, or sign in.";
const TOO_FAST = "Not saved. You're doing that too often. Try again in a minute.";

/** Longer cover URLs are not stored, so that the list stays small. */
const MAX_COVER_LENGTH = 300;

/** Nothing was saved. The user sees the message. */
class ListError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Saves a story for later, in the account or, for a visitor, in the browser; or removes it. */
export function changeSaved(args: ActionFunctionArgs) {
  return handleErrors(args.request, saveOrRemove(args));
}

/** Follows a writer, or stops following them. Redirects visitors to Sign In. */
export function changeFollowing(args: ActionFunctionArgs) {
  return handleErrors(args.request, followOrUnfollow(args));
}

/** Responds to scripts with an error's message, and shows it to browsers without scripts as a page. */
async function handleErrors(request: Request, response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    const { message, status } = error;
    if (isDocumentRequest(request)) throw data({ message }, { status });
    return Response.json({ message }, { status });
  }
}

async function saveOrRemove(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const form = await readForm(request, ["intent", "story", "returnTo"]);
  const { user, headers } = await getUser({ request, context });
  const id = getText(form, "story");
  const isSave = getText(form, "intent") === "save";
  const story = isSave ? await requireStory(args, id) : null;
  if (user) await assertWriteAllowed(args, user.uid);
  const library = getLibrary(context);
  if (user) {
    const change = story ? library.save(user, story) : library.remove(user, id);
    const message = `You can save up to ${MAX_SAVED} stories. Remove one first.`;
    assertNotFull(await change.catch(throwListError), message);
  }
  const cookie =
    story && !user
      ? { "Set-Cookie": requireCookie(addDeviceSaved(request, story)) }
      : removeDeviceSaved(request, isSave && !user ? "" : id);
  return respond(request, getText(form, "returnTo"), joinHeaders(headers, cookie));
}

async function followOrUnfollow(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const form = await readForm(request, ["intent", "writer", "returnTo"]);
  const { user, headers } = await getUser({ request, context });
  const returnTo = getText(form, "returnTo");
  if (!user) {
    return redirect(getSignInPath(returnTo, "follow"), { headers, status: 303 });
  }
  await assertWriteAllowed(args, user.uid);
  const uid = getText(form, "writer");
  const library = getLibrary(context);
  if (getText(form, "intent") === "follow") {
    const name = await getWriters(context).findName(uid).catch(throwListError);
    if (name === undefined || uid === user.uid) throw new ListError(400, NOT_FOUND);
    const message = `You can follow up to ${MAX_FOLLOWED} writers. Stop following one first.`;
    const result = await library.follow(user, { uid, name }).catch(throwListError);
    assertNotFull(result, message);
  } else {
    await library.unfollow(user, uid).catch(throwListError);
  }
  return respond(request, returnTo, headers);
}

const NOT_FOUND = "You can't follow this writer.";

/** Redirects browsers without scripts back to the page; scripts get JSON. */
function respond(request: Request, returnTo: string, headers: HeadersInit): Response {
  if (!isDocumentRequest(request)) return Response.json({ status: "done" }, { headers });
  return redirect(toSafePath(returnTo, "/home"), { headers, status: 303 });
}

async function requireStory({ context }: ActionFunctionArgs, id: string): Promise<SavedStory> {
  const builtIn = findBuiltIn(id);
  if (builtIn) {
    const { title, cover, words } = builtIn;
    const { author, uid: writer } = BUILT_IN_WRITER;
    return { id, title, author, writer, cover, minutes: getReadingMinutes(words) };
  }
  const story = isPublishedId(id)
    ? await getPublishedStories(context).findHead(id).catch(throwListError)
    : undefined;
  if (!story) throw new ListError(400, "This story doesn't exist.");
  const { title, author, uid: writer, cover, words } = story;
  const shortCover = cover !== null && cover.length <= MAX_COVER_LENGTH ? cover : "";
  return { id, title, author, writer, cover: shortCover, minutes: getReadingMinutes(words) };
}

async function assertWriteAllowed({ context }: ActionFunctionArgs, uid: string): Promise<void> {
  if (await getRateLimits(context).consume("library", uid)) return;
  throw new ListError(429, TOO_FAST);
}

function requireCookie(cookie: string | null): string {
  if (cookie === null) throw new ListError(409, BROWSER_FULL);
  return cookie;
}

function assertNotFull(result: ListResult, message: string): void {
  if (result === "full") throw new ListError(409, message);
}

/** @throws {ListError} for an error of the database; any other error unchanged */
function throwListError(error: unknown): never {
  if (!(error instanceof UnavailableError) && !(error instanceof FirestoreError)) throw error;
  throw new ListError(503, UNAVAILABLE);
}
