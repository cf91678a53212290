import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { respondToForm, runAction } from "#app/session/run-action.server.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { getCounts } from "#app/stories/counts/counts.server.ts";
import { storyIdSchema } from "#app/stories/positions/position-schema.ts";
import { STORY_END_ID } from "./reading-data.ts";

/**
 * Thanks the writer of a story, or takes the thanks back. Redirects visitors to Sign In, and back afterwards. Scripts get
 * a message.
 */
export async function thankWriter(args: ActionFunctionArgs) {
  const { request, context } = args;
  const form = await readForm(request, ["story", "thanks", "uid"]);
  const story = storyIdSchema.safeParse(getText(form, "story")).data;
  if (story === undefined) {
    throw data({ message: "There is no story with this id." }, { status: 400 });
  }
  const returnTo = `${toStoryPath(story)}#${STORY_END_ID}`;
  const isThanked = getText(form, "thanks") === "1";
  const options = { uid: form.get("uid"), limit: "thanks" } as const;
  const run = await runAction(args, options, async (user) => {
    await getCounts(context).setThanks(user, story, isThanked);
    const message = isThanked ? "You've thanked the writer." : "You've removed your thanks.";
    return { status: "done", message };
  });
  if (run.user) return respondToForm(request, run, returnTo);
  return redirect(getSignInPath(returnTo, "thank"), {
    headers: joinHeaders(run.headers, setSessionEndedFlash(request, run.hasEnded)),
    status: 303,
  });
}
