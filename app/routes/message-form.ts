import type { ClientActionFunctionArgs } from "@remix-run/react";

import type { SendReply } from "#app/features/chat/room-view.ts";
import { getText } from "./form-text.ts";
import { askServer, type Offline } from "./offline.ts";

/** Sends a message from a page that runs scripts. One that does not get through comes back, as a refused one does. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const reply = await askServer(() => serverAction<SendReply>());
  if (!("offline" in reply)) return reply;
  return {
    offline: true,
    status: "refused",
    reason: "unreachable",
    id: getText(form, "id"),
    text: getText(form, "text"),
    message: "Not sent.",
    hint: "You seem to be offline. Nothing was lost; try again.",
  } satisfies SendReply & Offline;
}
