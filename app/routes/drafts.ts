import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { draftTargetSchema } from "#app/schemas/manuscript-schema.ts";
import { readFormWithin } from "#app/services/form.server.ts";
import { getServices, getVisitor } from "#app/services/services.server.ts";
import { answerDraft, DRAFT_FIELDS, MAX_DRAFT_BYTES, refuseLength } from "./draft.server.ts";

/** Tells a script what its person's account has of a draft: another device may have saved it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const id = new URL(request.url).searchParams.get("id");
  if (!draftTargetSchema.shape.id.safeParse(id).success || id === null) return redirect("/home");
  const { account, idToken, headers } = await getVisitor({ request, context });
  if (!account) return answer(401, { message: "Not authenticated" }, headers);
  const unreachable = { message: "We can't reach your account right now." };
  if (!idToken) return answer(503, unreachable, headers);
  const writer = { uid: account.uid, displayName: account.displayName, idToken };
  try {
    const draft = await getServices(context).drafts.open(writer, id);
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
