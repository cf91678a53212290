import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import { createCookie } from "#app/http/cookie.server.ts";
import { getFieldNames, readForm } from "#app/http/form.server.ts";
import { joinHeaders, respondWithJson } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { ActionFailure, toJsonResponse, type ActionRun } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getHiddenPath, MAX_HIDDEN, type HiddenPerson } from "./hidden.ts";
import { getPublicName } from "./message.ts";
import { runRoomAction } from "./run-room-action.server.ts";

const LIST_TIMEOUT_MS = 2000;

/**
 * A user and the people whose messages their pages fold without scripts, so that no page has to ask the database. It holds
 * as many as fit.
 */
const cookie = createCookie("hides", { maxAgeSeconds: 365 * 24 * 60 * 60 });

/** Browsers keep cookies of up to 4096 bytes, with their names and attributes. */
const MAX_COOKIE_LENGTH = 3500;

/** Not part of any document id. */
const SEPARATOR = "!";

const TOO_MANY = {
  reason: "too-many",
  message: `You can hide up to ${MAX_HIDDEN} people.`,
  hint: "Show someone again on your profile first.",
} as const;

const formSchema = z.object({
  intent: z.enum(["hide", "show"]),
  person: z.string().max(128).refine(isDocumentId),
  name: z.string().default(""),
});

/** Responds to scripts with the ids of the people that the signed-in user has hidden. */
export async function loadHiddenUids({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { user, headers } = await getUser({ request, context });
  if (!user) return respondWithJson({ uid: null, hidden: [] }, { headers });
  const people = await loadHiddenPeople(context, user);
  if (!people) {
    const message = "We can't load the people you've hidden right now.";
    return respondWithJson({ message }, { status: 503, headers });
  }
  const hidden = people.map(({ uid }) => uid);
  return respondWithJson(
    { uid: user.uid, hidden },
    { headers: joinHeaders(headers, rememberHidden(request, user, hidden)) },
  );
}

/**
 * Returns the uids of the people whose messages a page folds before scripts run. A browser in which the user has not hidden
 * anybody, opened the room with scripts, or opened "Hidden" on the profile, does not know them.
 */
export async function getHiddenUids(args: {
  request: Request;
  context: AppLoadContext;
}): Promise<readonly string[]> {
  if (cookie.read(args.request) === undefined) return [];
  const { user } = await getUser(args);
  return user ? readHidden(args.request, user) : [];
}

function readHidden(request: Request, { uid }: Pick<AuthUser, "uid">): string[] {
  const [owner, ...hidden] = cookie.read(request)?.split(SEPARATOR) ?? [];
  return owner === uid ? hidden : [];
}

/** Returns the header that stores the people a user has hidden in the cookie; none if the cookie is up to date. */
export function rememberHidden(
  request: Request,
  { uid }: Pick<AuthUser, "uid">,
  hidden: readonly string[],
): Record<string, string> {
  let value = uid;
  for (const person of hidden) {
    const longer = value + SEPARATOR + person;
    if (longer.length > MAX_COOKIE_LENGTH) break;
    value = longer;
  }
  const known = cookie.read(request);
  if (hidden.length > 0) {
    return value === known ? {} : { "Set-Cookie": cookie.write(request, value) };
  }
  return known === undefined ? {} : { "Set-Cookie": cookie.remove(request) };
}

/** Returns the people that a user has hidden, or `null` while the database is unavailable. */
export async function loadHiddenPeople(
  context: AppLoadContext,
  user: AuthUser,
): Promise<HiddenPerson[] | null> {
  const people = await catchUnavailable(getHiddenPeople(context).list(user));
  return people instanceof UnavailableError ? null : people;
}

/** Hides a person, or shows them again. Responds to scripts with JSON. */
export async function changeHidden(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, [...getFieldNames(formSchema), "uid"]);
  const run = await runRoomAction(args, form, (user) =>
    changeHiddenPeople(args.context, user, Object.fromEntries(form)),
  );
  return toJsonResponse(rememberChange(args.request, run, Object.fromEntries(form)));
}

/**
 * Hides a person, or shows them again.
 *
 * @param fields as they were submitted
 * @throws {ActionFailure | FirestoreError | UnavailableError}
 */
export async function changeHiddenPeople(
  context: AppLoadContext,
  user: AuthUser,
  fields: object,
): Promise<void> {
  const { data } = formSchema.safeParse(fields);
  if (!data) throw new ActionFailure({ reason: "invalid" });
  const people = getHiddenPeople(context);
  if (data.intent === "show") return people.show(user, data.person);
  return people.hide(user, { uid: data.person, name: data.name });
}

/**
 * Adds the header that updates the cookie after a successful change.
 *
 * @param fields as they were submitted
 */
export function rememberChange(
  request: Request,
  run: ActionRun<void>,
  fields: object,
): ActionRun<void> {
  const { data } = formSchema.safeParse(fields);
  const { error, user, headers } = run;
  if (!data || !user || error) return run;
  const others = readHidden(request, user).filter((uid) => uid !== data.person);
  const hidden = data.intent === "hide" ? [data.person, ...others] : others;
  return { ...run, headers: joinHeaders(headers, rememberHidden(request, user, hidden)) };
}

/** Reads and writes the people that a user has hidden. */
function createHiddenPeopleService(env: Env) {
  return {
    /** @throws {UnavailableError} */
    async list(user: AuthUser): Promise<HiddenPerson[]> {
      const documents = await requireRead(
        asUser(env, user).query(
          getHiddenPath(user.uid),
          { limit: MAX_HIDDEN },
          { timeoutMs: LIST_TIMEOUT_MS },
        ),
      );
      return documents.map(({ id, fields }) => ({
        uid: id,
        name: getPublicName(typeof fields.name === "string" ? fields.name : null),
      }));
    },

    /**
     * Hides a person. Hiding them again updates their name.
     *
     * @throws {ActionFailure | FirestoreError | UnavailableError}
     */
    async hide(user: AuthUser, { uid, name }: HiddenPerson): Promise<void> {
      if (uid === user.uid) throw new ActionFailure({ reason: "denied" });
      const firestore = asUser(env, user);
      const path = getHiddenPath(user.uid);
      const hidden = await firestore.query(path, { limit: MAX_HIDDEN, isKeysOnly: true });
      if (hidden.length >= MAX_HIDDEN && !hidden.some(({ id }) => id === uid)) {
        throw new ActionFailure(TOO_MANY);
      }
      const fields = { name: getPublicName(name) };
      await firestore.commit([{ path: `${path}/${uid}`, fields, serverTimestamps: ["hiddenAt"] }]);
    },

    /** @throws {FirestoreError | UnavailableError} */
    async show(user: AuthUser, uid: string): Promise<void> {
      await asUser(env, user).commit([{ path: `${getHiddenPath(user.uid)}/${uid}`, delete: true }]);
    },
  };
}

export const getHiddenPeople = createServiceGetter((env) => createHiddenPeopleService(env));
