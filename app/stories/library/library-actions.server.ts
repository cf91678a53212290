import { redirect, type ActionFunctionArgs, type AppLoadContext } from "@remix-run/cloudflare";

import { getText } from "#app/http/form.ts";
import { readForm } from "#app/http/form.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import {
  ActionFailure,
  respondToForm,
  runAction,
  runVisitorAction,
  type ActionWords,
} from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { findBuiltIn } from "#app/stories/built-in.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { getReadingMinutes } from "#app/stories/story.ts";
import { MAX_TAG_LENGTH } from "#app/stories/search.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { normalizeTag } from "#app/stories/terms.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { getLibrary, deviceHidden, deviceSaved } from "./library.server.ts";
import { HIDDEN_KINDS, type HiddenItem, type SavedStory } from "./library.ts";

/** The words of all lists. */
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
    if (story && !user) return { "Set-Cookie": deviceSaved.add(request, story) };
    return deviceSaved.remove(request, { id });
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

/** Hides a story, a tag or a writer from lists, in the account or, for a visitor, in the browser; or shows it again. */
export async function changeHiddenItems(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const form = await readForm(request, ["intent", ...HIDDEN_KINDS, "returnTo"]);
  const kind = HIDDEN_KINDS.find((name) => getText(form, name) !== "") ?? "story";
  const text = getText(form, kind);
  const id = kind === "tag" ? normalizeTag(text) : text;
  const isHide = getText(form, "intent") === "hide";
  const run = await runVisitorAction(args, OPTIONS, async (user) => {
    const library = getLibrary(context);
    const item = isHide ? await requireItem(context, { kind, id, name: text.trim() }, user) : null;
    if (user) await (item ? library.hide(user, item) : library.show(user, { kind, id }));
    if (item && !user) return { "Set-Cookie": deviceHidden.add(request, item) };
    return deviceHidden.remove(request, { kind, id });
  });
  const headers = joinHeaders(run.headers, run.value ?? {});
  return respondToForm(request, { ...run, headers, value: null }, getText(form, "returnTo"));
}

/** Returns what a form hides, with its name. */
async function requireItem(
  context: AppLoadContext,
  item: HiddenItem,
  user: AuthUser | null,
): Promise<HiddenItem> {
  const { kind, id } = item;
  if (kind === "story") return { kind, id, name: (await requireStory(context, id)).title };
  if (kind === "tag" && id !== "" && item.name.length <= MAX_TAG_LENGTH) return item;
  const isOther = kind === "writer" && id !== user?.uid;
  const name = isOther ? await getWriters(context).findName(id) : undefined;
  if (name !== undefined) return { kind, id, name };
  throw new ActionFailure({ reason: "invalid", message: `You can't hide this ${kind}.` });
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
