import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getFieldNames, readForm } from "#app/http/form.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getSession } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getHiddenPath, MAX_HIDDEN, type HiddenPerson } from "./hidden.ts";
import { getPublicName } from "./message.ts";
import { runMessageAction, type Outcome } from "./run-message-action.server.ts";

const LIST_TIMEOUT_MS = 2000;

const formSchema = z.object({
  intent: z.enum(["hide", "show"]),
  person: z.string().max(128).refine(isDocumentId),
  name: z.string().default(""),
});

/** Responds to scripts with the ids of the people that the signed-in user has hidden. */
export async function loadHiddenUids({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { user, headers } = await getSession({ request, context });
  const init = { headers: { ...headers, "Cache-Control": "no-store" } };
  if (!user) return Response.json({ uid: null, hidden: [] }, init);
  const people = await loadHiddenPeople(context, user);
  if (!people) {
    return Response.json(
      { message: "We can't load the people you've hidden right now." },
      { ...init, status: 503 },
    );
  }
  return Response.json({ uid: user.uid, hidden: people.map(({ uid }) => uid) }, init);
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
  return runMessageAction(args, form, async (user) => {
    const { data } = formSchema.safeParse(Object.fromEntries(form));
    if (!data) return "invalid";
    const people = getHiddenPeople(args.context);
    if (data.intent === "show") return people.show(user, data.person);
    return people.hide(user, { uid: data.person, name: data.name });
  });
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
     * @throws {FirestoreError | UnavailableError}
     */
    async hide(user: AuthUser, { uid, name }: HiddenPerson): Promise<Outcome> {
      if (uid === user.uid) return "denied";
      const firestore = asUser(env, user);
      const path = getHiddenPath(user.uid);
      const hidden = await firestore.query(path, { limit: MAX_HIDDEN, isKeysOnly: true });
      if (hidden.length >= MAX_HIDDEN && !hidden.some(({ id }) => id === uid)) return "too-many";
      const fields = { name: getPublicName(name) };
      await firestore.commit([{ path: `${path}/${uid}`, fields, serverTimestamps: ["hiddenAt"] }]);
      return "done";
    },

    /** @throws {FirestoreError | UnavailableError} */
    async show(user: AuthUser, uid: string): Promise<Outcome> {
      await asUser(env, user).commit([{ path: `${getHiddenPath(user.uid)}/${uid}`, delete: true }]);
      return "done";
    },
  };
}

export const getHiddenPeople = createServiceGetter((env) => createHiddenPeopleService(env));
