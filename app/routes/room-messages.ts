import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { answerMessage } from "./room.server.ts";

export { loader } from "./no-page.server.ts";

/** Takes messages from scripts, which outlive the page they were typed on. */
export async function action(args: ActionFunctionArgs) {
  const { reply, ...init } = await answerMessage(args);
  return Response.json(reply, init);
}
