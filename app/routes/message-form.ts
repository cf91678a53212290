import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";

import type { SendReply } from "#app/features/chat/room-view.ts";

/** What a page's action, which takes the room's messages, looks like to the browser. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction<SendReply>();
  } catch (error) {
    // A response is the server's own answer; anything else means that it was not reached.
    if (!(error instanceof TypeError)) throw error;
    return {
      status: "refused",
      id: String(form.get("id")),
      text: String(form.get("text")),
      message: "Not sent.",
      hint: "You seem to be offline. Nothing was lost; try again.",
    } satisfies SendReply;
  }
}

/** Tells whether the page is asked again only because a script sent a message, which the listener shows. */
export function isMessageSent({ formData, actionStatus = 200 }: ShouldRevalidateFunctionArgs) {
  return Boolean(formData?.has("stay") && formData.has("text")) && actionStatus < 400;
}
