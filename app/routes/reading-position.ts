import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findPositionAt } from "#app/reading/positions/position-matching.server.ts";
import { runAction } from "#app/session/run-action.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { countReaderLater } from "#app/stories/counts/counts.server.ts";
import { getPositions, setDevicePosition } from "#app/stories/positions/positions.server.ts";
import { findStory } from "#app/stories/stories.server.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";

const UNAVAILABLE = "We can't load this story right now. Go back and try again in a moment.";
const GONE = "This reading position is no longer in the story.";

/** Saves the position of the button that was pressed in the text, and redirects back to it. For pages without scripts. */
export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const form = await readForm(request, ["story", "paragraph", "uid"]);
  const story = await catchUnavailable(findStory({ context }, getText(form, "story")));
  if (story instanceof UnavailableError) throw data({ message: UNAVAILABLE }, { status: 503 });
  const position = story && (await findPositionAt(story, getText(form, "paragraph")));
  if (!position) throw data({ message: GONE }, { status: 400 });

  const options = { uid: form.get("uid"), limit: "position" } as const;
  // This browser saves the position in any case.
  const run = await runAction(args, options, async (user) => {
    await getPositions(context).set(user, position);
    countReaderLater(context, user, position);
  });
  // Another user may have signed in since the page was rendered.
  const owner = getText(form, "uid") || run.user?.uid;
  const cookie = setDevicePosition(request, { ...position, owner });
  const headers = joinHeaders(run.headers, { "Set-Cookie": cookie });
  return redirect(`${toStoryPath(story.id)}#${position.paragraph}`, { headers, status: 303 });
}
