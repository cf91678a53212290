import { data, redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { readPath } from "#app/stories/book.ts";
import type { RenderedText } from "#app/stories/markdown.server.ts";
import { getRenderedText } from "#app/stories/rendered-text.server.ts";
import {
  findStory,
  findStoryWith,
  getAdjacent,
  getKnownAdjacent,
  isPublishedId,
  type Direction,
} from "#app/stories/stories.server.ts";
import type { Story } from "#app/stories/story.ts";
import { setPageHtml } from "./page-html.server.ts";
import { findMatch, mergePositions } from "./position-matching.server.ts";
import { positionsPath, type ReadingPosition } from "./position.ts";
import { getDevicePositions, getPositions, readPositionFields } from "./positions.server.ts";
import type { AdjacentStory, PositionView, ReadingData } from "./reading-data.ts";
import { getReadingSettings } from "./settings.server.ts";

/**
 * Returns the story at an address, with the user's position; `null` if no such story is published.
 *
 * @throws {UnavailableError} when the story cannot be read
 */
export async function loadReading(args: LoaderFunctionArgs): Promise<ReadingData | null> {
  const { request, context, params } = args;
  const id = params.id ?? "";
  const user = await getUser({ request, context });
  const { story, position: account } = await findReading({ context }, id, user);
  if (!story) return null;

  const text = await getRenderedText(story.markdown);
  const device = getDevicePositions(request).find((position) => position.story === id);
  const isPositionUnavailable = account instanceof UnavailableError;
  const { position, other } = mergePositions(device, isPositionUnavailable ? undefined : account);
  const isNavigation = isClientNavigation(args);
  if (!isNavigation) setPageHtml(context, text.html);
  return {
    ...describe(story),
    words: text.words,
    version: text.version,
    html: isNavigation ? text.html : null,
    settings: getReadingSettings(request),
    position: toPositionView(text, position),
    otherPosition: toPositionView(text, other),
    isPositionUnavailable,
    previous: toAdjacentStory(id, "previous"),
    next: toAdjacentStory(id, "next"),
  };
}

function describe({ id, title, author, description, isPreview }: Story) {
  return { id, title, author, description, isPreview };
}

function toPositionView(
  { paragraphs }: RenderedText,
  position: ReadingPosition | undefined,
): PositionView | null {
  const match = position && findMatch(paragraphs, position);
  if (!match) return null;
  const { percent, time } = position;
  return { paragraph: match.paragraph.id, offset: match.offset, percent, time };
}

/** If finding the adjacent story takes a request, returns a link that looks it up when the user follows it. */
function toAdjacentStory(id: string, direction: Direction): AdjacentStory | null {
  const adjacent = getKnownAdjacent(id, direction);
  if (adjacent.status === "end") return null;
  if (adjacent.status === "stored") {
    return { path: `${readPath(id)}?go=${direction}`, title: null };
  }
  const { story } = adjacent;
  return { path: readPath(story.id), title: story.title };
}

/**
 * Redirects an address with `?go=` to the adjacent story, or to `/home` if there is none.
 *
 * @throws {Response} the redirect, or an error of status 503
 */
export async function redirectToAdjacent({ request, context, params }: LoaderFunctionArgs) {
  const direction = new URL(request.url).searchParams.get("go");
  if (direction !== "previous" && direction !== "next") return;
  const adjacent = await catchUnavailable(getAdjacent({ context }, params.id ?? "", direction));
  if (adjacent instanceof UnavailableError) {
    const message = `We can't find the ${direction} story right now. Go back and try again in a moment.`;
    throw data({ message }, { status: 503 });
  }
  if (adjacent.status === "none") return;
  throw redirect(adjacent.status === "end" ? "/home" : readPath(adjacent.id));
}

interface StoryAndPosition {
  story: Story | null;
  position: ReadingPosition | UnavailableError | undefined;
}

/** Finds a story and the position in the user's account. Uses one request if both are in the database. */
async function findReading(
  { context }: Pick<LoaderFunctionArgs, "context">,
  id: string,
  user: AuthUser | null,
): Promise<StoryAndPosition> {
  if (user?.idToken && isPublishedId(id)) {
    const path = `${positionsPath(user.uid)}/${id}`;
    const { story, others } = await findStoryWith({ context }, id, { user, paths: [path] });
    const [fields] = others;
    if (fields === undefined) return { story, position: new UnavailableError("Not allowed") };
    return { story, position: fields ? readPositionFields(id, fields) : undefined };
  }
  const story = await findStory({ context }, id);
  if (!story || !user) return { story, position: undefined };
  return { story, position: await catchUnavailable(getPositions(context).find(user, id)) };
}

/** Whether the request is for the loader's data only, during a client-side navigation. */
function isClientNavigation({ context }: LoaderFunctionArgs): boolean {
  const { request } = context.cloudflare;
  return request !== undefined && new URL(request.url).pathname.endsWith(".data");
}
