import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { readPath } from "#app/schemas/book.ts";
import {
  MAX_PLACE_TITLE_LENGTH,
  minutesLeftAt,
  percentAt,
  type Place,
} from "#app/schemas/place.ts";
import type { Story } from "#app/schemas/story.ts";
import { readForm } from "#app/services/form.server.ts";
import { keepPlaceHere } from "#app/services/places.server.ts";
import { getRenderedText } from "#app/services/rendered-text.server.ts";
import { getActor, getServices } from "#app/services/services.server.ts";
import { findStory } from "#app/services/stories.server.ts";
import { getText, isFrom } from "./form-text.ts";
import { joinHeaders } from "./headers.ts";

export { default } from "./empty-page.ts";
export { loader } from "./no-page.server.ts";
export { clientAction } from "./offline.ts";

const UNREACHABLE = "We can't load this story right now. Go back and try again in a moment.";

/** Keeps a reader's place at the end of the paragraph that a button in the text names, and leads back to it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["story", "paragraph", "uid"]);
  const story = await findStory({ context }, getText(form, "story"));
  if (story === "unreachable") throw data({ message: UNREACHABLE }, { status: 503 });
  const place = story && (await toPlace(story, getText(form, "paragraph")));
  if (!place)
    throw data({ message: "This reading position is no longer in the story." }, { status: 400 });

  const visitor = await getActor({ request, context });
  const { places, writeLimit } = getServices(context);
  const { account } = visitor;
  const isReader = account !== null && isFrom(form, account);
  if (isReader && (await writeLimit.admit(account.uid, "place"))) await places.keep(visitor, place);
  const headers = joinHeaders(visitor.headers, { "Set-Cookie": keepPlaceHere(request, place) });
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
