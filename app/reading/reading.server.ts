import { data, redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { readPath } from "#app/stories/book.ts";
import type { RenderedText } from "#app/stories/markdown.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import {
  findBeside,
  findStoryWith,
  getNeighbours,
  isPublishedId,
  type FoundStory,
  type Side,
} from "#app/stories/stories.server.ts";
import type { Story } from "#app/stories/story.ts";
import { handMarkup } from "./page-html.server.ts";
import { findMatch, settlePlaces } from "./position-matching.server.ts";
import { placesPath, type Place } from "./position.ts";
import { getPlacesHere, getPositions, toPlace, type FoundPlace } from "./positions.server.ts";
import type { Neighbour, PlaceView, ReadingView } from "./reading-data.ts";
import { getReadingSettings } from "./settings.server.ts";

/** Prepares the story of an address; `null` where nothing is published. */
export async function loadReading(
  args: LoaderFunctionArgs,
): Promise<ReadingView | "unreachable" | null> {
  const { request, context, params } = args;
  const id = params.id ?? "";
  const user = await getUser({ request, context });
  const { story, position: there } = await findReading({ context }, id, user);
  if (!story || story === "unreachable") return story;

  const text = await getRenderedText(story.markdown);
  const here = getPlacesHere(request).find((place) => place.story === id);
  const isPlaceUnreachable = there === "unreachable";
  const { place, other } = settlePlaces(here, isPlaceUnreachable ? undefined : there);
  const isOpenPage = isAskedByScript(args);
  if (!isOpenPage) handMarkup(context, text.html);
  return {
    ...describe(story),
    words: text.words,
    version: text.version,
    html: isOpenPage ? text.html : null,
    settings: getReadingSettings(request),
    place: toPlaceView(text, place),
    other: toPlaceView(text, other),
    isPlaceUnreachable,
    previous: toNeighbour(id, "previous"),
    next: toNeighbour(id, "next"),
  };
}

function describe({ id, title, author, description, isOpening }: Story) {
  return { id, title, author, description, isOpening };
}

function toPlaceView({ paragraphs }: RenderedText, place: Place | undefined): PlaceView | null {
  const match = place && findMatch(paragraphs, place);
  if (!match) return null;
  const { percent, time } = place;
  return { paragraph: match.paragraph.id, offset: match.offset, percent, time };
}

/** A neighbour that only the database knows has an address of its own: asking for its title would cost a request. */
function toNeighbour(id: string, side: Side): Neighbour | null {
  const story = getNeighbours(id)[side];
  if (story === undefined) return { path: `${readPath(id)}?go=${side}`, title: null };
  return story && { path: readPath(story.id), title: story.title };
}

/** Leads on to the story beside that of the address, where it asks for one, and to the stories where there is none. */
export async function followNeighbour({ request, context, params }: LoaderFunctionArgs) {
  const side = new URL(request.url).searchParams.get("go");
  if (side !== "previous" && side !== "next") return;
  const id = await findBeside({ context }, params.id ?? "", side).catch(() => {
    // It has been logged.
    const message = `We can't find the ${side} story right now. Go back and try again in a moment.`;
    throw data({ message }, { status: 503 });
  });
  if (id !== undefined) throw redirect(id === null ? "/home" : readPath(id));
}

/** Finds a story and the user's position in it, in one request where both are in the database. */
async function findReading(
  { context }: Pick<LoaderFunctionArgs, "context">,
  id: string,
  user: AuthUser | null,
): Promise<{ story: FoundStory; position: FoundPlace }> {
  const isJoined = isPublishedId(id) && user?.idToken;
  const { story, others } = await findStoryWith(
    { context },
    id,
    isJoined ? { idToken: user.idToken, paths: [`${placesPath(user.uid)}/${id}`] } : undefined,
  );
  if (!story || story === "unreachable") return { story, position: undefined };
  if (isJoined) return { story, position: toPlace(id, others?.[0]) };
  const isAsked = !isPublishedId(id);
  return { story, position: isAsked ? await getPositions(context).find(user, id) : undefined };
}

/** Whether a page that is already open asks for data, and not the browser for a page. */
function isAskedByScript({ context }: LoaderFunctionArgs): boolean {
  const { request } = context.cloudflare;
  return request !== undefined && new URL(request.url).pathname.endsWith(".data");
}
