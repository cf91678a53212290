import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { readFormWithin } from "#app/http/form.server.ts";
import { getSession } from "#app/session/user.server.ts";
import {
  answerDraft,
  DRAFT_FIELDS,
  MAX_DRAFT_BYTES,
  refuseLength,
} from "#app/writing/draft-actions.server.ts";
import { draftTargetSchema } from "#app/writing/draft-schema.ts";
import { getDrafts } from "#app/writing/drafts/drafts.server.ts";

/** Tells a script what its person's account has of a draft: another device may have saved it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const id = new URL(request.url).searchParams.get("id");
  if (!draftTargetSchema.shape.id.safeParse(id).success || id === null) return redirect("/home");
  const { user: account, headers } = await getSession({ request, context });
  if (!account) return answer(401, { message: "Not authenticated" }, headers);
  const unreachable = { message: "We can't reach your account right now." };
  const { idToken } = account;
  if (!idToken) return answer(503, unreachable, headers);
  const writer = { uid: account.uid, displayName: account.displayName, idToken };
  try {
    const draft = await getDrafts(context).open(writer, id);
    return answer(200, { draft }, headers);
  } catch {
    // The library has logged it.
    return answer(503, unreachable, headers);
  }
}

/** Takes drafts from scripts, which save while somebody writes. */
export async function action(args: ActionFunctionArgs) {
  const form = await readFormWithin(args.request, DRAFT_FIELDS, MAX_DRAFT_BYTES);
  const { reply, status, headers } = await (form ? answerDraft(args, form) : refuseLength(args));
  return Response.json(reply, { status, headers });
}

function answer(status: number, body: object, headers: Record<string, string>) {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
