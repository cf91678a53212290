import type { ActionFunctionArgs } from "@remix-run/cloudflare";

import { runAction, type ActionRun } from "#app/session/run-action.server.ts";
import type { AuthUser } from "#app/session/user.ts";

/** A message that does not exist any more. */
export const GONE = { reason: "gone", message: "This message was deleted." } as const;

const WORDS = { unavailable: { message: "We can't reach the room right now." } };

/** Runs an action of the signed-in user about messages or people of the room. See `runAction`. */
export function runRoomAction(
  args: Pick<ActionFunctionArgs, "request" | "context">,
  form: { get(name: "uid"): string | null },
  act: (user: AuthUser) => Promise<void>,
): Promise<ActionRun<void>> {
  return runAction(args, { uid: form.get("uid"), limit: "room", words: WORDS }, act);
}
