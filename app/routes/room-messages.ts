import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { answerMessage, MESSAGE_FIELDS } from "#app/chat/room.server.ts";
import { readForm } from "#app/http/form.server.ts";

export { loader } from "#app/http/method-not-allowed.server.ts";

/** Takes messages from scripts, which outlive the page they were typed on. */
export async function action(args: ActionFunctionArgs) {
  const { reply, ...init } = await answerMessage(
    args,
    await readForm(args.request, MESSAGE_FIELDS),
  );
  return Response.json(reply, init);
}
