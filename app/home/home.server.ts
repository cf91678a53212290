import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getPendingUser } from "#app/session/user.server.ts";
import { formatDay } from "#app/site/locale/format-time.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { BUILT_IN_WRITER } from "#app/stories/built-in.server.ts";
import { listBooks, listReadable } from "#app/stories/catalogue.server.ts";
import { getDeviceSaved, mergeSaved } from "#app/stories/library/library.server.ts";
import type { FollowedWriter, SavedStory } from "#app/stories/library/library.ts";
import { getPublishedStories, type PublishedStory } from "#app/stories/published.server.ts";
import { getCachedReaders } from "#app/stories/readers/readers.server.ts";
import { isFilteredSearch, readSearch } from "#app/stories/search-params.ts";
import type { SearchPage } from "#app/stories/search-results.ts";
import { findStories, toBookEntry, toStoryEntry } from "#app/stories/search.server.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { builtInWriterView, getWriters } from "#app/stories/writers/writers.server.ts";
import type { DashboardProps } from "./dashboard.tsx";
import { getHomeTitle } from "./describe-results.ts";
import type { NewStory } from "./shelves.tsx";
import {
  listNewestInProgress,
  loadLibrary,
  toInProgressStories,
  type UserLibrary,
} from "./user-library.server.ts";
import type { WriterView } from "./writer-head.tsx";

const MAX_NEW_STORIES = 8;

interface HomeData extends Omit<DashboardProps, "questNotice"> {
  /** The document's title; `undefined` for the unfiltered page. */
  title: string | undefined;
}

/**
 * Loads /home. A page may make three requests: one for the room, one for the user's library and one for stories.
 * Checking the session takes up to two of them; then the page uses what this isolate has read recently. For saved stories
 * that somebody has published, a fourth one finds those that are withdrawn.
 */
export async function loadHome(args: LoaderFunctionArgs): Promise<HomeData> {
  const { request, context } = args;
  const search = readSearch(new URL(request.url).searchParams);
  const isSearch = isFilteredSearch(search);
  const { requests, unchecked } = await getPendingUser({ request, context });
  const loadedBooks = listBooks({ request, context });
  const loadedLibrary =
    search.writer === ""
      ? loadLibrary(args, requests > (isSearch ? 0 : 1)).then(withoutWriter)
      : loadLibraryAndWriter(args, search.writer);
  const [books, { library, writer }, saved, results, published] = await Promise.all([
    loadedBooks,
    loadedLibrary,
    loadedLibrary.then(({ library: { saved } }) => markWithdrawn(context, saved)),
    loadedBooks.then((allBooks) =>
      findStories({ context, books: allBooks, search, mayReuseNewest: unchecked.user !== null }),
    ),
    isSearch ? [] : loadNewStories(args, loadedLibrary, requests),
  ]);
  const { positions, following, isPartial } = library;
  const page = { ...search, ...results };
  const writerView = search.writer === "" ? null : await toWriterView(args, page, writer, library);
  return {
    books,
    details: Object.fromEntries(listReadable(books).map((book) => [book.id, toBookEntry(book)])),
    firstStory: listReadable(books)[0]?.id ?? null,
    inProgress: toInProgressStories(positions, books),
    isInProgressPartial: isPartial,
    saved,
    following,
    readers: getCachedReaders(context),
    page,
    isSearch,
    title: getHomeTitle(page, writerView),
    writer: writerView,
    newStories: published && published.map((story) => toNewStory(args, story)),
  };
}

interface LibraryAndWriter {
  library: UserLibrary;
  writer: Omit<WriterView, "uid" | "isFollowed"> | undefined;
}

function withoutWriter(library: UserLibrary): LibraryAndWriter {
  return { library, writer: undefined };
}

/** Says of saved stories which ones are withdrawn; of none while the database does not respond. */
async function markWithdrawn(
  context: AppLoadContext,
  saved: readonly SavedStory[],
): Promise<SavedStory[]> {
  const ids = saved.map(({ id }) => id).filter(isPublishedId);
  if (ids.length === 0) return [...saved];
  const missing = await catchUnavailable(getPublishedStories(context).listMissing(ids));
  if (missing instanceof UnavailableError) return [...saved];
  return saved.map((story) =>
    missing.includes(story.id) ? { ...story, isWithdrawn: true } : story,
  );
}

/** Loads the user's lists and a writer's document in one request. Only the positions of this browser are included. */
async function loadLibraryAndWriter(
  { request, context }: LoaderFunctionArgs,
  uid: string,
): Promise<LibraryAndWriter> {
  const { unchecked, checked } = await getPendingUser({ request, context });
  // Without a token, the lists can't be read.
  const reader = unchecked.user?.idToken ? unchecked.user : null;
  const [writerAndLists, { user }] = await Promise.all([
    catchUnavailable(getWriters(context).findWithLists(uid, reader)),
    checked,
  ]);
  const isUnavailable = writerAndLists instanceof UnavailableError;
  const lists = user && !isUnavailable ? writerAndLists : { saved: [], following: [] };
  return {
    library: {
      positions: listNewestInProgress(request, [], user),
      saved: mergeSaved(lists.saved, getDeviceSaved(request)),
      following: lists.following,
      isPartial: false,
    },
    writer: uid === BUILT_IN_WRITER.uid || isUnavailable ? undefined : writerAndLists.writer,
  };
}

async function toWriterView(
  { context }: LoaderFunctionArgs,
  page: SearchPage,
  writer: LibraryAndWriter["writer"],
  { following }: UserLibrary,
): Promise<WriterView> {
  const uid = page.writer;
  const writerDetails = uid === BUILT_IN_WRITER.uid ? builtInWriterView : writer;
  return {
    uid,
    name: writerDetails?.name ?? page.results[0]?.author ?? (await findAuthor(context, page)),
    about: writerDetails?.about ?? "",
    photoURL: writerDetails?.photoURL ?? null,
    isFollowed: following.some((followed) => followed.uid === uid),
  };
}

/** Returns the name of a writer whose page has no results; `null` if no story of theirs can be found. */
async function findAuthor(context: AppLoadContext, page: SearchPage): Promise<string | null> {
  const isAll = page.after === null && !isFilteredSearch({ ...page, writer: "" });
  if (isAll || page.isPartial) return null;
  const author = await catchUnavailable(getPublishedStories(context).findAuthor(page.writer));
  return author instanceof UnavailableError ? null : (author ?? null);
}

/** Returns the newest stories, those of followed writers first; `null` if they are unavailable. */
async function loadNewStories(
  { request, context }: LoaderFunctionArgs,
  loadedLibrary: Promise<LibraryAndWriter>,
  requests: number,
): Promise<PublishedStory[] | null> {
  const published = getPublishedStories(context);
  const { unchecked } = await getPendingUser({ request, context });
  const { following } = unchecked.user ? (await loadedLibrary).library : NO_WRITERS;
  const isFollowed = ({ uid }: PublishedStory) => following.some((writer) => writer.uid === uid);
  const mayAsk = following.length > 0 && requests === 0;
  const [own, newest] = await Promise.all([
    mayAsk ? catchUnavailable(published.listOf(following.map(({ uid }) => uid))) : [],
    mayAsk ? published.getCachedList() : catchUnavailable(published.list(requests > 0)),
  ]);
  if (own instanceof UnavailableError || newest instanceof UnavailableError) return null;
  const all = new Map([...own, ...newest].map((story) => [story.id, story]));
  const sorted = [...all.values()].toSorted((a, b) => getLatestTime(b) - getLatestTime(a));
  return [...sorted.filter(isFollowed), ...sorted.filter((story) => !isFollowed(story))].slice(
    0,
    MAX_NEW_STORIES,
  );
}

const NO_WRITERS: { following: FollowedWriter[] } = { following: [] };

function getLatestTime({ publishedAt, newChapterAt = 0 }: PublishedStory): number {
  return Math.max(publishedAt, newChapterAt);
}

function toNewStory({ request, context }: LoaderFunctionArgs, story: PublishedStory): NewStory {
  const locale = getLocale(request, context);
  return {
    ...toStoryEntry(story),
    isNewChapter: getLatestTime(story) > story.publishedAt,
    when: formatDay(getLatestTime(story), locale, Date.now()),
  };
}
