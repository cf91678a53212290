import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { readForm } from "#app/services/form.server.ts";
import { answerDraft, MAX_DRAFT_BYTES } from "./draft.server.ts";

export { loader } from "./no-page.server.ts";

/** Takes drafts from scripts, which save while somebody writes. */
export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args.request, MAX_DRAFT_BYTES);
  const { reply, status, headers } = await answerDraft(args, form);
  return Response.json(reply, { status, headers });
}
