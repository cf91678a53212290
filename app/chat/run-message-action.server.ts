import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import {
  FirestoreError,
  PermissionDeniedError,
  UnauthenticatedError,
} from "#app/firebase/firestore-error.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { TooFast } from "#app/session/rate-record.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getRateLimits, RATE_LIMIT_WINDOW_MS } from "#app/session/rate-limit.server.ts";
import type { ActionErrorReason, ActionResult } from "./action-result.ts";

/** `done`, or why the action failed: the reason, an invalid field's error, or the time until it is allowed. */
export type Outcome = "done" | ActionErrorReason | { invalid: string | undefined } | TooFast;

const ERRORS: Record<ActionErrorReason, { status: number; message: string; hint?: string }> = {
  unauthenticated: {
    status: 401,
    message: "Not authenticated",
    hint: "You were signed out. Sign in from another tab, then try again.",
  },
  "other-user": {
    status: 401,
    message: "Someone else is signed in now.",
    hint: "Sign in to your account, then try again.",
  },
  invalid: { status: 400, message: "The form is incomplete. Reload the page and try again." },
  denied: { status: 403, message: "You don't have permission to do that." },
  gone: { status: 404, message: "This message was deleted." },
  "too-late": {
    status: 409,
    message: "This message can't be edited any more.",
    hint: "You can edit a message for 15 minutes.",
  },
  "too-many": {
    status: 409,
    message: "You can hide up to 500 people.",
    hint: "Show someone again on your profile first.",
  },
  "too-fast": { status: 429, message: "You're doing that too often." },
  unavailable: {
    status: 503,
    message: "We can't reach the room right now.",
    hint: "Nothing was changed; try again.",
  },
};

/** The result of an action, with the status and the headers of its response. */
export interface ActionRun {
  result: ActionResult;
  status: number;
  headers: HeadersInit;
  /** Who has submitted it; `null` without a session. */
  user: AuthUser | null;
}

type Args = Pick<ActionFunctionArgs, "request" | "context">;
type UidForm = { get(name: "uid"): string | null };
type Act = (user: AuthUser) => Promise<Outcome>;

/** Runs an action that a script has posted, and responds with its result as JSON. See `runMessageAction`. */
export async function runMessageActionForScripts(
  args: Args,
  form: UidForm,
  act: Act,
): Promise<Response> {
  return toJsonResponse(await runMessageAction(args, form, act));
}

export function toJsonResponse({ result, status, headers }: ActionRun): Response {
  return Response.json(result, {
    status,
    headers: joinHeaders(headers, { "Cache-Control": "no-store" }),
  });
}

/**
 * Runs an action of the signed-in user.
 *
 * @param form contains the `uid` of the user that the page was rendered for
 */
export async function runMessageAction(
  { request, context }: Args,
  form: UidForm,
  act: Act,
): Promise<ActionRun> {
  const { user, headers } = await getUser({ request, context });

  function respond(
    outcome: "done" | ActionErrorReason,
    change: { hint?: string; headers?: Record<string, string> } = {},
  ): ActionRun {
    const init = { headers: { ...headers, ...change.headers }, user };
    if (outcome === "done") return { result: { status: "done" }, status: 200, ...init };
    const { status, ...error } = ERRORS[outcome];
    const hint = change.hint ?? error.hint;
    const result: ActionResult = {
      status: "error",
      reason: outcome,
      message: error.message,
      ...(hint !== undefined && { hint }),
    };
    return { result, status, ...init };
  }

  function respondTooFast(waitMs: number) {
    const { words, retryAfter } = describeWait(waitMs);
    return respond("too-fast", { hint: `Try again in ${words}.`, headers: retryAfter });
  }

  if (!user) return respond("unauthenticated");
  if (!isFromUser(form, user)) return respond("other-user");
  if (!(await getRateLimits(context).consume("room", user.uid))) {
    return respondTooFast(RATE_LIMIT_WINDOW_MS);
  }
  const outcome = await catchUnavailable(catchDenied(act(user)));
  if (outcome instanceof UnavailableError) return respond("unavailable");
  if (typeof outcome === "string") return respond(outcome);
  if ("waitMs" in outcome) return respondTooFast(outcome.waitMs);
  const { invalid } = outcome;
  return respond("invalid", invalid === undefined ? {} : { hint: invalid });
}

/** @throws {UnavailableError} when Firestore rejects the action for a reason other than the rules or the token */
async function catchDenied<Result>(
  act: Promise<Result>,
): Promise<Result | "unauthenticated" | "denied"> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof UnauthenticatedError) return "unauthenticated";
    if (error instanceof PermissionDeniedError) return "denied";
    if (!(error instanceof FirestoreError)) throw error;
    throw new UnavailableError("Firestore rejected an action on a message", { cause: error });
  }
}
