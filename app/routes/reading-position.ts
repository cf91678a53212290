import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findPositionAt } from "#app/reading/position-at.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getUser } from "#app/session/user.server.ts";
import { getRateLimits } from "#app/session/rate-limit.server.ts";
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
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["story", "paragraph", "uid"]);
  const story = await catchUnavailable(findStory({ context }, getText(form, "story")));
  if (story instanceof UnavailableError) throw data({ message: UNAVAILABLE }, { status: 503 });
  const position = story && (await findPositionAt(story, getText(form, "paragraph")));
  if (!position) throw data({ message: GONE }, { status: 400 });

  const { user, headers: sessionHeaders } = await getUser({ request, context });
  const positions = getPositions(context);
  const rateLimits = getRateLimits(context);
  const isSameUser = user !== null && isFromUser(form, user);
  if (isSameUser && (await rateLimits.consume("position", user.uid))) {
    // This browser saves the position in any case.
    await catchUnavailable(positions.set(user, position));
    countReaderLater(context, user, position);
  }
  // Another user may have signed in since the page was rendered.
  const owner = getText(form, "uid") || user?.uid;
  const cookie = setDevicePosition(request, { ...position, owner });
  const headers = joinHeaders(sessionHeaders, { "Set-Cookie": cookie });
  return redirect(`${toStoryPath(story.id)}#${position.paragraph}`, { headers, status: 303 });
}
