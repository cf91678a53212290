import { data, redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import type { Neighbour, PlaceView, ReadingView } from "#app/features/reading/reading-view.ts";
import { readPath } from "#app/schemas/book.ts";
import type { Place } from "#app/schemas/place.ts";
import type { Story } from "#app/schemas/story.ts";
import type { RenderedText } from "#app/services/markdown.server.ts";
import { handMarkup } from "#app/services/page-markup.server.ts";
import { findMatch, settlePlaces } from "#app/services/place-matching.server.ts";
import { getPlacesHere } from "#app/services/places.server.ts";
import { getReadingSettings } from "#app/services/reading-settings.server.ts";
import { getRenderedText } from "#app/services/rendered-text.server.ts";
import { getVisitor } from "#app/services/services.server.ts";
import { findBeside, findReading, getNeighbours, type Side } from "#app/services/stories.server.ts";

/** Prepares the story of an address; `null` where nothing is published. */
export async function loadReading(
  args: LoaderFunctionArgs,
): Promise<ReadingView | "unreachable" | null> {
  const { request, context, params } = args;
  const id = params.id ?? "";
  const visitor = await getVisitor({ request, context });
  const { story, place: there } = await findReading({ context }, id, visitor);
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

/** Whether a page that is already open asks for data, and not the browser for a page. */
function isAskedByScript({ context }: LoaderFunctionArgs): boolean {
  const { request } = context.cloudflare;
  return request !== undefined && new URL(request.url).pathname.endsWith(".data");
}
