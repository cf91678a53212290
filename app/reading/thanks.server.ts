import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
} from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getRateLimits, RATE_LIMIT_WINDOW_MS } from "#app/session/rate-limit.server.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { getCounts, type ThanksResult } from "#app/stories/counts/counts.server.ts";
import { storyIdSchema } from "#app/stories/positions/position-schema.ts";
import { STORY_END_ID } from "./reading-data.ts";

type ThanksError = Exclude<ThanksResult, "done"> | "other-user" | "too-fast" | "unavailable";

const ERRORS: Record<ThanksError, { status: number; message: string }> = {
  own: { status: 403, message: "You can't thank yourself." },
  gone: { status: 404, message: "This story isn't published any more." },
  "other-user": {
    status: 401,
    message: "Someone else is signed in now. Sign in to your account, then try again.",
  },
  "too-fast": { status: 429, message: "You're doing that too often. Try again in a minute." },
  unavailable: {
    status: 503,
    message: "We can't reach your account right now. Nothing was changed; try again.",
  },
};

/**
 * Thanks the writer of a story, or takes the thanks back. Redirects visitors to Sign In, and back afterwards. Fetchers
 * send `stay`, to get data instead of a redirect.
 */
export async function thankWriter({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["story", "thanks", "uid", "stay"]);
  const story = storyIdSchema.safeParse(getText(form, "story")).data;
  if (story === undefined) {
    throw data({ message: "There is no story with this id." }, { status: 400 });
  }
  const returnTo = `${toStoryPath(story)}#${STORY_END_ID}`;
  const { user, headers, hasEnded } = await getUser({ request, context });
  if (!user) {
    const flash = setSessionEndedFlash(request, hasEnded);
    return redirect(getSignInPath(returnTo, "thank"), {
      headers: joinHeaders(headers, flash),
      status: 303,
    });
  }

  const isThanked = getText(form, "thanks") === "1";
  const outcome = isFromUser(form, user)
    ? await setThanks(context, user, story, isThanked)
    : "other-user";
  if (outcome === "done") {
    const message = isThanked ? "You've thanked the writer." : "You've removed your thanks.";
    if (form.has("stay")) return data({ message }, { headers });
    return redirect(returnTo, { headers, status: 303 });
  }
  const { status, message } = ERRORS[outcome];
  const { retryAfter } = describeWait(RATE_LIMIT_WINDOW_MS);
  const init = { status, headers: { ...headers, ...(outcome === "too-fast" && retryAfter) } };
  if (form.has("stay")) return data({ message }, init);
  throw data({ message }, init);
}

async function setThanks(
  context: AppLoadContext,
  user: AuthUser,
  story: string,
  isThanked: boolean,
): Promise<"done" | ThanksError> {
  if (!(await getRateLimits(context).consume("thanks", user.uid))) return "too-fast";
  const result = await catchUnavailable(getCounts(context).setThanks(user, story, isThanked));
  return result instanceof UnavailableError ? "unavailable" : result;
}
