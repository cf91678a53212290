import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";

import type { SendReply } from "#app/features/chat/room-view.ts";
import { askServer } from "./offline.ts";

/** Sends a message from a page that runs scripts. One that does not get through comes back, as a refused one does. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const reply = await askServer(() => serverAction<SendReply>());
  if (!("offline" in reply)) return reply;
  return {
    status: "refused",
    id: String(form.get("id")),
    text: String(form.get("text")),
    message: "Not sent.",
    hint: "You seem to be offline. Nothing was lost; try again.",
  } satisfies SendReply;
}

/** Tells whether the page is asked again only because a script sent a message, which the listener shows. */
export function isMessageSent({ formData, actionStatus = 200 }: ShouldRevalidateFunctionArgs) {
  return Boolean(formData?.has("stay") && formData.has("text")) && actionStatus < 400;
}
