import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { runRoomAction } from "#app/chat/run-room-action.server.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { readForm } from "#app/http/form.server.ts";
import { ActionFailure, toJsonResponse } from "#app/session/run-action.server.ts";
import { getAnswers } from "./answers.server.ts";

const MAX_KEY_LENGTH = 150;

/** Marks the answer that the user opens as read. Responds to scripts with JSON. */
export async function readAnswer(args: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(args.request, ["uid", "answer"]);
  const run = await runRoomAction(args, form, async (user) => {
    const key = form.get("answer") ?? "";
    if (!isDocumentId(key) || key.length > MAX_KEY_LENGTH) {
      throw new ActionFailure({ reason: "invalid" });
    }
    await getAnswers(args.context).markRead(user, { key });
  });
  return toJsonResponse(run);
}
