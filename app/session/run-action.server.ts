import { data, redirect, type AppLoadContext } from "@remix-run/cloudflare";

import {
  FirestoreError,
  PermissionDeniedError,
  UnauthenticatedError,
} from "#app/firebase/firestore-error.server.ts";
import { describeError, type FormError } from "#app/http/form.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import type { ActionError, FailureReason } from "./action-result.ts";
import {
  getRateLimits,
  RATE_LIMIT_WINDOW_MS,
  describeWait,
  type LimitName,
} from "./rate-limit.server.ts";
import type { UserSession } from "./session.server.ts";
import { getUser } from "./user.server.ts";
import type { AuthUser } from "./user.ts";

/** The HTTP status for each reason. */
export const STATUSES: Record<FailureReason, number> = {
  unauthenticated: 401,
  "other-user": 401,
  invalid: 400,
  denied: 403,
  muted: 403,
  gone: 404,
  "too-late": 409,
  "too-many": 409,
  "too-fast": 429,
  unavailable: 503,
};

/** These reasons have no words that fit every subject. */
type OwnReason = "gone" | "too-late" | "too-many" | "muted";
type CommonReason = Exclude<FailureReason, OwnReason>;

const ERRORS: Record<CommonReason, FormError> = {
  unauthenticated: {
    message: "Not authenticated",
    hint: "You were signed out. Sign in from another tab, then try again.",
  },
  "other-user": {
    message: "Someone else is signed in now.",
    hint: "Sign in to your account, then try again.",
  },
  invalid: { message: "The form is incomplete. Reload the page and try again." },
  denied: { message: "You don't have permission to do that." },
  "too-fast": { message: "You're doing that too often." },
  unavailable: {
    message: "We can't reach your account right now.",
    hint: "Nothing was changed; try again.",
  },
};

/** The words of a subject, where the common ones do not fit. */
export type ActionWords = Partial<Record<CommonReason, Partial<FormError>>>;

type Failure = Pick<ActionError, "field" | "fieldErrors"> & {
  /** The time until the next attempt. The status is then 429. */
  waitMs?: number;
} & (({ reason: CommonReason } & Partial<FormError>) | ({ reason: OwnReason } & FormError));

/** Thrown by an action that was not done. `toActionError` adds the words that it does not contain. */
export class ActionFailure extends Error {
  override name = "ActionFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** The result of an action, and what to send with the response. */
export type ActionRun<Value> = Pick<UserSession, "user" | "hasEnded"> & {
  status: number;
  headers: HeadersInit;
} & ({ error: null; value: Value } | { error: ActionError; value: null });

interface Args {
  request: Request;
  context: AppLoadContext;
}

interface ActionOptions {
  /** The uid of the user on the page with the form. Since then, another one may have signed in from another tab. */
  uid?: string | null;
  limit?: LimitName | undefined;
  words?: ActionWords;
  session?: Promise<UserSession>;
}

/** Whether a form was rendered for the signed-in user. A form without a user counts as theirs. */
export function isFromUser(uid: string | null | undefined, user: Pick<AuthUser, "uid">): boolean {
  return (uid || user.uid) === user.uid;
}

/**
 * Runs an action of the signed-in user.
 *
 * @param act throws an `ActionFailure` when it is not done. A Firestore error or an `UnavailableError` counts as one
 */
export function runAction<Value>(
  args: Args,
  options: ActionOptions,
  act: (user: AuthUser) => Promise<Value>,
): Promise<ActionRun<Value>> {
  return runVisitorAction(args, options, async (user) => {
    if (!user) throw new ActionFailure({ reason: "unauthenticated" });
    return act(user);
  });
}

/** Runs an action as `runAction` does, also for a visitor. */
export async function runVisitorAction<Value>(
  { request, context }: Args,
  { uid, limit, words, session = getUser({ request, context }) }: ActionOptions,
  act: (user: AuthUser | null) => Promise<Value>,
): Promise<ActionRun<Value>> {
  const { user, headers, hasEnded } = await session;
  try {
    if (user && !isFromUser(uid, user)) throw new ActionFailure({ reason: "other-user" });
    if (user && limit && !(await getRateLimits(context).consume(limit, user.uid))) {
      throw new ActionFailure({ reason: "too-fast", waitMs: RATE_LIMIT_WINDOW_MS });
    }
    return { user, hasEnded, status: 200, headers, error: null, value: await act(user) };
  } catch (thrown) {
    const failure = toFailure(thrown);
    const { waitMs } = failure;
    return {
      user,
      hasEnded,
      status: waitMs === undefined ? STATUSES[failure.reason] : 429,
      headers: waitMs === undefined ? headers : { ...headers, ...describeWait(waitMs).retryAfter },
      error: toActionError(failure, words),
      value: null,
    };
  }
}

function toFailure(error: unknown): Failure {
  if (error instanceof ActionFailure) return error.failure;
  if (error instanceof UnauthenticatedError) return { reason: "unauthenticated" };
  if (error instanceof PermissionDeniedError) return { reason: "denied" };
  const isUnavailable = error instanceof UnavailableError || error instanceof FirestoreError;
  if (isUnavailable) return { reason: "unavailable" };
  throw error;
}

/** Returns the error to show: what the failure says, what its subject says, or the common words, in this order. */
export function toActionError(failure: Failure, words: ActionWords = {}): ActionError {
  const { waitMs, ...own } = failure;
  const { reason } = failure;
  if (reason === "gone" || reason === "too-late" || reason === "too-many" || reason === "muted") {
    return { status: "error", ...failure };
  }
  const wait = waitMs === undefined ? {} : { hint: `Try again in ${describeWait(waitMs).words}.` };
  return { status: "error", ...ERRORS[reason], ...wait, ...words[reason], ...own };
}

/** Responds to a script with the result as JSON. */
export function toJsonResponse({ error, value, status, headers }: ActionRun<unknown>): Response {
  return respondWithJson(error ?? value ?? { status: "done" }, { status, headers });
}

/**
 * Responds to a script with JSON, and to a form without scripts with a redirect. An error is then a page of its own.
 *
 * @param to a path on this site
 */
export function respondToForm(request: Request, run: ActionRun<unknown>, to: string): Response {
  if (!isDocumentRequest(request)) return toJsonResponse(run);
  const { error, status, headers } = run;
  if (error) throw data({ message: describeError(error) }, { status, headers });
  return redirect(toSafePath(to, "/home"), { headers, status: 303 });
}
