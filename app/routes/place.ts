import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import {
  MAX_PLACE_TITLE_LENGTH,
  minutesLeftAt,
  percentAt,
  type Place,
} from "#app/reading/position.ts";
import { getPositions, keepPlaceHere } from "#app/reading/positions.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getVerifiedSession } from "#app/session/user.server.ts";
import { getWriteLimit } from "#app/session/write-limit.server.ts";
import { readPath } from "#app/stories/book.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import { findStory } from "#app/stories/stories.server.ts";
import type { Story } from "#app/stories/story.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/method-not-allowed.server.ts";
export { clientAction } from "#app/site/offline.ts";

const UNREACHABLE = "We can't load this story right now. Go back and try again in a moment.";

/** Keeps a reader's place at the end of the paragraph that a button in the text names, and leads back to it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["story", "paragraph", "uid"]);
  const story = await findStory({ context }, getText(form, "story"));
  if (story === "unreachable") throw data({ message: UNREACHABLE }, { status: 503 });
  const place = story && (await toPlace(story, getText(form, "paragraph")));
  if (!place)
    throw data({ message: "This reading position is no longer in the story." }, { status: 400 });

  const { user, headers: sessionHeaders } = await getVerifiedSession({ request, context });
  const places = getPositions(context);
  const writeLimit = getWriteLimit(context);
  const isReader = user !== null && isFromUser(form, user);
  if (isReader && (await writeLimit.consume(user.uid, "place"))) await places.keep(user, place);
  const headers = joinHeaders(sessionHeaders, { "Set-Cookie": keepPlaceHere(request, place) });
  return redirect(`${readPath(story.id)}#${place.paragraph}`, { headers, status: 303 });
}

async function toPlace({ id, title, markdown }: Story, name: string): Promise<Place | null> {
  const { paragraphs, length, words } = await getRenderedText(markdown);
  const number = paragraphs.findIndex((one) => one.id === name);
  const paragraph = paragraphs[number];
  if (!paragraph) return null;
  const percent = percentAt(paragraph.before + paragraph.length, length);
  return {
    story: id,
    title: title.slice(0, MAX_PLACE_TITLE_LENGTH),
    paragraph: paragraph.id,
    start: paragraph.start,
    offset: 0,
    number,
    percent,
    minutesLeft: minutesLeftAt(percent, words),
    time: Date.now(),
  };
}
