import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { readFormWithin } from "#app/http/form.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import {
  DRAFT_FIELDS,
  handleDraft,
  MAX_DRAFT_BYTES,
  rejectLongDraft,
} from "#app/writing/draft-actions.server.ts";
import { draftTargetSchema } from "#app/writing/draft-schema.ts";
import { getDrafts } from "#app/writing/drafts/drafts.server.ts";

/** Responds with a draft of the signed-in user: another device may have saved it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const id = new URL(request.url).searchParams.get("id");
  if (!draftTargetSchema.shape.id.safeParse(id).success || id === null) return redirect("/home");
  const { user, headers } = await getUser({ request, context });
  if (!user) return respondWithJson({ message: "Not authenticated" }, { status: 401, headers });
  try {
    const draft = await getDrafts(context).open(user, id);
    return respondWithJson({ draft }, { headers });
  } catch (error) {
    if (!(error instanceof UnavailableError) && !(error instanceof FirestoreError)) throw error;
    const message = "We can't reach your account right now.";
    return respondWithJson({ message }, { status: 503, headers });
  }
}

/** Saves drafts for autosave. */
export async function action(args: ActionFunctionArgs) {
  const form = await readFormWithin(args.request, DRAFT_FIELDS, MAX_DRAFT_BYTES);
  const { result, status, headers } = form ? await handleDraft(args, form) : rejectLongDraft();
  return Response.json(result, { status, headers });
}
