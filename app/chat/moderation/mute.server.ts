import { data, type ActionFunctionArgs, type AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import type { AppealResult } from "#app/chat/appeal/appeal.tsx";
import { runRoomAction } from "#app/chat/run-room-action.server.ts";
import { getEnv } from "#app/env.server.ts";
import { isRejected, requireRead } from "#app/firebase/firestore-error.server.ts";
import type { DocumentSnapshot } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { createCookie } from "#app/http/cookie.server.ts";
import { getText } from "#app/http/form.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { hasAtMost, isVisible } from "#app/http/text.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { ActionFailure, respondToForm } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { User } from "#app/session/user.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { readMute } from "#app/chat/presence.ts";
import {
  describeMute,
  formatReason,
  getMutePath,
  MAX_REASON_LENGTH,
  type OwnMute,
} from "./mute.ts";

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/** The uid of a user whose message was refused, so that no other page has to ask the database for a mute. */
const cookie = createCookie("muted", { maxAgeSeconds: 24 * 60 * 60 });

const TIMEOUT_MS = 1000;

const appealSchema = z
  .string()
  .trim()
  .refine(isVisible, "Write why first.")
  .refine(hasAtMost(MAX_REASON_LENGTH), `This can have up to ${MAX_REASON_LENGTH} characters.`);

const WAS_ASKED = {
  reason: "too-many",
  message: "You can ask once.",
  hint: "If you haven't, reload the page: you may post again.",
} as const;

/** Returns the mute in a document if it has not ended. */
function findMute(document: DocumentSnapshot | null | undefined, now: number): OwnMute | null {
  if (!document) return null;
  const { until, reason, appeal } = document.fields;
  const mute = readMute({ until: until instanceof Date ? until.getTime() : null, reason });
  return mute && mute.until > now ? { ...mute, hasAsked: typeof appeal === "string" } : null;
}

/**
 * Requires that a user may post.
 *
 * @param document the user's mute, or `null`
 * @param now the database's time
 * @throws {ActionFailure}
 */
export function requireUnmuted(
  { request, context }: RequestArgs,
  document: DocumentSnapshot | null | undefined,
  now: Date,
): void {
  const mute = findMute(document, now.getTime());
  if (!mute) return;
  const until = describeMute(mute, getLocale(request, context), now.getTime());
  throw new ActionFailure({
    reason: "muted",
    message: "Not sent.",
    hint: `${until} Reason: ${formatReason(mute.reason)}`,
  });
}

/** Returns the header after which the pages of this browser ask whether the user is muted. */
export function rememberMute(request: Request, { uid }: Pick<User, "uid">) {
  return { "Set-Cookie": cookie.write(request, uid) };
}

/**
 * Returns the mute of a page's user; `null` if they may post, as far as this browser knows. With scripts, the page learns it
 * from the Realtime Database.
 */
export async function loadMute({ request, context }: RequestArgs): Promise<OwnMute | null> {
  const known = cookie.read(request);
  if (known === undefined) return null;
  const { user } = await getUser({ request, context });
  if (!user || user.uid !== known) return null;
  const document = await catchUnavailable(
    requireRead(
      asUser(getEnv(context), user).get(getMutePath(user.uid), { timeoutMs: TIMEOUT_MS }),
    ),
  );
  return document instanceof UnavailableError ? null : findMute(document, Date.now());
}

/**
 * Stores why a muted user asks to post again. Operators read it beside their name. After an error without scripts, a page
 * shows what was typed.
 */
export async function askToPost(args: ActionFunctionArgs) {
  const { request, context } = args;
  const form = await readForm(request, ["uid", "appeal", "returnTo"]);
  const run = await runRoomAction(args, form, async (user) => {
    const { data: appeal, error } = appealSchema.safeParse(getText(form, "appeal"));
    if (error) throw new ActionFailure({ reason: "invalid", message: error.issues[0]?.message });
    try {
      await asUser(getEnv(context), user).commit([
        { path: getMutePath(user.uid), fields: { appeal }, exists: true },
      ]);
    } catch (error) {
      throw isRejected(error) ? new ActionFailure(WAS_ASKED) : error;
    }
  });
  const headers = joinHeaders(run.headers, run.user ? rememberMute(request, run.user) : {});
  const returnTo = toSafePath(getText(form, "returnTo"), "/home");
  const { error, status } = run;
  if (!error) return respondToForm(request, { ...run, headers }, returnTo);
  const values = { uid: getText(form, "uid"), appeal: getText(form, "appeal"), returnTo };
  return data<AppealResult>({ ...error, values }, { status, headers });
}
