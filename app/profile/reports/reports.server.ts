import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { ANONYMOUS } from "#app/chat/message.ts";
import { getModeration } from "#app/chat/moderation/moderation.server.ts";
import { getReportQueue } from "#app/chat/moderation/report-queue.server.ts";
import { MUTE_DURATIONS } from "#app/chat/moderation/reports.ts";
import { runRoomAction } from "#app/chat/run-room-action.server.ts";
import { readCursor } from "#app/firebase/cursor.ts";
import { readForm } from "#app/http/form.server.ts";
import { getPageValues } from "#app/http/page-record.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findPictureBucket } from "#app/pictures/picture-bucket.server.ts";
import type { ProfileAction } from "#app/profile/profile-actions.server.ts";
import { ActionFailure, toJsonResponse } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import type { Flash } from "#app/site/flash/flash.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import {
  MODERATION_FIELDS,
  moderationSchema,
  type Moderation,
} from "#app/profile/profile-schema.ts";
import {
  DELETE_PARAM,
  LOG_PARAM,
  MUTE_PARAM,
  MUTED_PARAM,
  QUEUE_PARAM,
  toReportsPath,
  UNPUBLISH_PARAM,
  type ReportsView,
} from "./reports-view.ts";

/** Returns what an operator sees on the tab. @throws {UnavailableError} */
export async function loadReports(
  { request, context }: LoaderFunctionArgs,
  user: AuthUser,
): Promise<ReportsView> {
  const { searchParams } = new URL(request.url);
  const moderation = getModeration(context);
  const { now = Date.now() } = getPageValues(context);
  const [reported, muted, log] = await Promise.all([
    getReportQueue(context).listReported(user, readCursor(searchParams.get(QUEUE_PARAM))),
    moderation.listMuted(user, now, readCursor(searchParams.get(MUTED_PARAM))),
    moderation.listLog(user, readCursor(searchParams.get(LOG_PARAM))),
  ]);
  const locale = getLocale(request, context);
  return { ...reported, muted, log, confirmation: findConfirmation(searchParams), locale, now };
}

/** Returns how many messages have open reports; `null` for other users, and while it cannot be read. */
export async function countReports(
  { context }: LoaderFunctionArgs,
  user: AuthUser,
): Promise<number | null> {
  if (!user.isOperator) return null;
  const count = await catchUnavailable(getReportQueue(context).countOpen(user));
  return count instanceof UnavailableError ? null : count;
}

function findConfirmation(searchParams: URLSearchParams): ReportsView["confirmation"] {
  for (const step of [DELETE_PARAM, MUTE_PARAM, UNPUBLISH_PARAM] as const) {
    const key = searchParams.get(step);
    if (key !== null) return { step, key };
  }
  return null;
}

/** The fields that show their own errors. */
const SHOWN_FIELDS = ["duration", "reason", "picture"];

/** What is said after each action. */
export const MODERATION_FLASHES = {
  delete: "report-message-deleted",
  dismiss: "report-dismissed",
  mute: "person-muted",
  lift: "mute-lifted",
  unpublish: "story-unpublished",
  picture: "picture-removed",
} as const satisfies Record<Moderation["action"], Flash>;

/** Runs the action that a form of the Reports tab asks for. */
export async function moderate({ request, context, form, user }: ProfileAction) {
  const action = await act(context, user, Object.fromEntries(form));
  const { searchParams } = new URL(request.url);
  return { path: toReportsPath(searchParams), flash: MODERATION_FLASHES[action] };
}

/** Does the same for scripts, which send the form once the user can no longer undo it. Responds with JSON. */
export async function moderateForScripts(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, [...MODERATION_FIELDS, "uid"]);
  const run = await runRoomAction(args, form, async (user) => {
    await act(args.context, user, Object.fromEntries(form));
  });
  return toJsonResponse(run);
}

/** Runs an operator's action, and returns its name. The rules deny it to everyone else. */
async function act(
  context: AppLoadContext,
  user: AuthUser,
  fields: object,
): Promise<Moderation["action"]> {
  if (!user.isOperator) throw new ActionFailure({ reason: "denied", ...NOT_AN_OPERATOR });
  const { data, error } = moderationSchema.safeParse(fields);
  if (!data) {
    const { fieldErrors } = z.flattenError(error);
    const shown = Object.entries(fieldErrors).filter(([field]) => SHOWN_FIELDS.includes(field));
    throw new ActionFailure({
      reason: "invalid",
      ...(shown.length > 0 && { fieldErrors: Object.fromEntries(shown) }),
    });
  }
  const moderation = getModeration(context);
  switch (data.action) {
    case "delete":
      await moderation.delete(user, data.message);
      break;
    case "dismiss":
      await moderation.dismiss(user, data.message);
      break;
    case "mute": {
      const { message: reported, reason } = data;
      const durationMs = MUTE_DURATIONS[data.duration].ms;
      const alsoDelete = data.alsoDelete !== undefined;
      await moderation.mute(user, { reported, durationMs, reason, alsoDelete });
      break;
    }
    case "lift":
      await moderation.lift(user, data.person);
      break;
    case "unpublish":
      await moderation.unpublish(user, data.story, data.reason);
      getPublishedStories(context).clearLists();
      break;
    case "picture":
      await removePicture(context, user, data.picture, data.reason);
  }
  return data.action;
}

/** Removes an uploaded picture, once the log says so. */
async function removePicture(
  context: AppLoadContext,
  user: AuthUser,
  path: string,
  reason: string,
): Promise<void> {
  const bucket = findPictureBucket(context);
  if ((await bucket?.check(path)) === undefined) {
    throw new ActionFailure({ reason: "gone", message: "There is no such picture." });
  }
  const [, , person = "", target = ""] = path.split("/");
  const name = (await getWriters(context).findName(person)) ?? ANONYMOUS;
  await getModeration(context).log(user, { action: "picture", target, person, name, reason });
  try {
    await bucket?.remove(path);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new ActionFailure({ reason: "unavailable", ...NOT_REMOVED });
  }
}

const NOT_REMOVED = {
  message: "Not removed yet.",
  hint: "We couldn't reach the pictures. Try again; the log then has two entries.",
};

const NOT_AN_OPERATOR = {
  message: "You're not an operator.",
  hint: "Nothing was changed.",
};
