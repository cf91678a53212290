import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { createMessage, MESSAGE_FIELDS } from "#app/chat/messages.server.ts";
import { readForm } from "#app/http/form.server.ts";

export { loadMessages as loader } from "#app/chat/messages.server.ts";

/** Stores a message that was sent by script, which may finish after its page has been left. */
export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args.request, MESSAGE_FIELDS);
  const { result, ...init } = await createMessage(args, form);
  return Response.json(result, init);
}
