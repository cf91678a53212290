import { redirect, type ActionFunctionArgs, type AppLoadContext } from "@remix-run/cloudflare";

import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { toSafePath } from "#app/http/safe-path.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import {
  ActionFailure,
  respondToForm,
  runAction,
  runVisitorAction,
  type ActionWords,
} from "#app/session/run-action.server.ts";
import { findBuiltIn } from "#app/stories/built-in.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { getReadingMinutes } from "#app/stories/reading-time.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { addDeviceSaved, getLibrary, removeDeviceSaved } from "./library.server.ts";
import type { SavedStory } from "./library.ts";

/** The words of both lists. */
const WORDS: ActionWords = {
  unavailable: {
    message: "Not saved.",
    hint: "We can't reach our database right now. Try again in a moment.",
  },
  "too-fast": {
    message: "Not saved.",
    hint: "You're doing that too often. Try again in a minute.",
  },
};
const OPTIONS = { limit: "library", words: WORDS } as const;

/** Longer cover URLs are not stored, so that the list stays small. */
const MAX_COVER_LENGTH = 300;

/** Saves a story for later, in the account or, for a visitor, in the browser; or removes it. */
export async function changeSaved(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const form = await readForm(request, ["intent", "story", "returnTo"]);
  const id = getText(form, "story");
  const isSave = getText(form, "intent") === "save";
  const run = await runVisitorAction(args, OPTIONS, async (user) => {
    const story = isSave ? await requireStory(context, id) : null;
    const library = getLibrary(context);
    if (user) await (story ? library.save(user, story) : library.remove(user, id));
    if (story && !user) return { "Set-Cookie": addDeviceSaved(request, story) };
    return removeDeviceSaved(request, id);
  });
  const headers = joinHeaders(run.headers, run.value ?? {});
  return respondToForm(request, { ...run, headers, value: null }, getText(form, "returnTo"));
}

/** Follows a writer, or stops following them. Redirects visitors to Sign In. */
export async function changeFollowing(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const form = await readForm(request, ["intent", "writer", "returnTo"]);
  const returnTo = toSafePath(getText(form, "returnTo"), "/home");
  const uid = getText(form, "writer");
  const run = await runAction(args, OPTIONS, async (user) => {
    const library = getLibrary(context);
    if (getText(form, "intent") !== "follow") return library.unfollow(user, uid);
    const name = await getWriters(context).findName(uid);
    if (name === undefined || uid === user.uid) {
      throw new ActionFailure({ reason: "invalid", message: "You can't follow this writer." });
    }
    return library.follow(user, { uid, name });
  });
  if (run.user) return respondToForm(request, run, returnTo);
  return redirect(getSignInPath(returnTo, "follow"), { headers: run.headers, status: 303 });
}

async function requireStory(context: AppLoadContext, id: string): Promise<SavedStory> {
  const story = isPublishedId(id)
    ? await getPublishedStories(context).findHead(id)
    : findBuiltIn(id);
  if (!story) {
    throw new ActionFailure({ reason: "invalid", message: "This story doesn't exist." });
  }
  const { title, author, uid: writer, cover, words } = story;
  const shortCover = cover.length <= MAX_COVER_LENGTH ? cover : "";
  return { id, title, author, writer, cover: shortCover, minutes: getReadingMinutes(words) };
}
