import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import type { RoomData } from "#app/chat/message.ts";
import { getLastReached } from "#app/chat/quotes/quoted-story.ts";
import { loadStoryLines } from "#app/chat/quotes/story-lines.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getPendingUser } from "#app/session/user.server.ts";
import { formatAgo, formatDayInText } from "#app/site/locale/locale.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import type { Book } from "#app/stories/book.ts";
import { BUILT_IN_WRITER, findChapter } from "#app/stories/built-in.server.ts";
import { listBooks, listReadable } from "#app/stories/catalogue.server.ts";
import { createHiding, isTagHidden, type FindHiding } from "#app/stories/library/hiding.server.ts";
import {
  deviceHidden,
  deviceSaved,
  mergeHidden,
  mergeSaved,
} from "#app/stories/library/library.server.ts";
import type { SavedStory } from "#app/stories/library/library.ts";
import {
  getLatestTime,
  getPublishedStories,
  MAX_LISTED,
  type PublishedStory,
} from "#app/stories/published.server.ts";
import { hasReadAll, WHOLE_STORY } from "#app/stories/positions/position.ts";
import { getDevicePositions } from "#app/stories/positions/positions.server.ts";
import { getCachedReaders } from "#app/stories/readers/readers.server.ts";
import { isFilteredSearch, readSearch, type SearchPage } from "#app/stories/search.ts";
import {
  findStories,
  listLanguages,
  toBookEntry,
  toStoryEntry,
} from "#app/stories/search.server.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { builtInWriterView, getWriters } from "#app/stories/writers/writers.server.ts";
import type { DashboardProps } from "./dashboard.tsx";
import { getHomeTitle } from "./describe-home.ts";
import type { ShownLine } from "./live-card.tsx";
import type { NewStory } from "./shelves.tsx";
import {
  listNewestInProgress,
  loadLibrary,
  toInProgressStories,
  withoutHidden,
  type UserLibrary,
} from "./user-library.server.ts";
import { truncateWords } from "#app/ui/truncate.ts";
import type { WriterView } from "./writer-head.tsx";

/** How many of a list of new stories are shown. */
const MAX_NEW_STORIES = 8;

/** In UTF-16 units. */
const MAX_LINE_LENGTH = 140;

interface HomeData extends Omit<DashboardProps, "questNotice"> {
  /** The document's title; `undefined` for the unfiltered page. */
  title: string | undefined;
}

/**
 * Loads /home. A page may make three requests: one for the room, one for the user's library and one for what is said about
 * the stories. Checking the session takes up to two of them; then the page uses what this isolate has read recently. What is
 * not among the newest messages takes another one, as do the writers that the user follows, what messages are about, and
 * saved stories that somebody has published, to find those that are withdrawn.
 *
 * @param room the room of the same page
 */
export async function loadHome(
  args: LoaderFunctionArgs,
  room: Promise<LineArgs["room"]>,
): Promise<HomeData> {
  const { request, context } = args;
  const search = readSearch(new URL(request.url).searchParams);
  const isSearch = isFilteredSearch(search);
  const { requests, unchecked } = await getPendingUser({ request, context });
  const loadedBooks = listBooks({ request, context });
  const loadedLibrary =
    search.writer === ""
      ? loadLibrary(args, requests > (isSearch ? 0 : 1)).then(withoutWriter)
      : loadLibraryAndWriter(args, search.writer);
  const [books, { library, writer }, saved, results, newStories, newest, lines] = await Promise.all(
    [
      loadedBooks,
      loadedLibrary,
      loadedLibrary.then(({ library: { saved } }) => markWithdrawn(context, saved)),
      loadedBooks.then((allBooks) =>
        findStories({
          context,
          books: allBooks,
          search,
          hidden: loadedLibrary.then(({ library: { hidden } }) => hidden),
          mayReuseNewest: unchecked.user !== null,
        }),
      ),
      isSearch
        ? []
        : loadedLibrary.then(({ library }) => loadNewStories(args, library, requests > 0)),
      // Signed-in users have spent the request on their library.
      isSearch || unchecked.user
        ? getPublishedStories(context).getCachedList()
        : catchUnavailable(getPublishedStories(context).list()),
      Promise.all([loadedBooks, loadedLibrary, room]).then(([allBooks, { library }, loadedRoom]) =>
        loadLines(args, {
          books: allBooks,
          library,
          room: loadedRoom,
          mayAsk: requests === 0 && !isSearch && library.following.length === 0,
        }),
      ),
    ],
  );
  const { positions, following, hidden, isPartial } = library;
  const findHiding = createHiding(hidden);
  const allNewest = newest instanceof UnavailableError ? null : newest;
  const listed = (isSearch ? [] : (allNewest ?? [])).filter((story) => !findHiding(story));
  const isShown = (book: Book) => !findHiding(toBookEntry(book));
  const languages = listLanguages([...results.results, ...listed], search.language);
  const page = { ...search, ...results, languages };
  const writerView = search.writer === "" ? null : await toWriterView(args, page, writer, library);
  return {
    books,
    details: Object.fromEntries(listReadable(books).map((book) => [book.id, toBookEntry(book)])),
    hidden,
    isTagHidden: search.tags.length === 1 && isTagHidden(hidden, search.tags[0]),
    hiddenBooks: books.filter((book) => !isShown(book)).map(({ id }) => id),
    firstStory: listReadable(books).find(isShown)?.id ?? null,
    inProgress: toInProgressStories(positions, books),
    isInProgressPartial: isPartial,
    saved,
    // Beside a new story, its writer has the name that they had when they published it.
    following: following.map((writer) => ({
      ...writer,
      name: newStories?.find((story) => story.writer === writer.uid)?.author ?? writer.name,
    })),
    readers: getCachedReaders(context),
    lines,
    page,
    isSearch,
    title: getHomeTitle(page, writerView),
    writer: writerView,
    newStories,
    published: allNewest && describePublished(args, allNewest, findHiding),
  };
}

/** Describes the newest stories by writers that are not hidden; `null` if there are none, or if this isolate has not read them. */
function describePublished(
  { request, context }: LoaderFunctionArgs,
  listed: readonly PublishedStory[],
  findHiding: FindHiding,
): string | null {
  const stories = listed.filter((story) => !findHiding(story));
  const [newest] = stories;
  if (!newest) return null;
  const day = formatDayInText(newest.publishedAt, getLocale(request, context), Date.now());
  const count = listed.length < MAX_LISTED ? stories.length : `More than ${stories.length - 1}`;
  return `${count} published here. Newest: ${day}`;
}

interface LibraryAndWriter {
  library: UserLibrary;
  writer: Omit<WriterView, "uid" | "isFollowed" | "isHidden"> | undefined;
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
  const lists = user && !isUnavailable ? writerAndLists : { saved: [], following: [], hidden: [] };
  const hidden = mergeHidden(lists.hidden, deviceHidden.list(request));
  return {
    library: {
      hidden,
      positions: listNewestInProgress(request, [], { user, hidden }),
      read: user ? getDevicePositions(request, user) : [],
      saved: withoutHidden(mergeSaved(lists.saved, deviceSaved.list(request)), hidden),
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
  { following, hidden }: UserLibrary,
): Promise<WriterView> {
  const uid = page.writer;
  const writerDetails = uid === BUILT_IN_WRITER.uid ? builtInWriterView : writer;
  const followed = following.find((item) => item.uid === uid);
  return {
    uid,
    name:
      writerDetails?.name ??
      page.results[0]?.author ??
      // Without a name, the page has no button to stop following a writer who is gone.
      followed?.name ??
      (await findAuthor(context, page)),
    about: writerDetails?.about ?? "",
    photoURL: writerDetails?.photoURL ?? null,
    isFollowed: followed !== undefined,
    isHidden: hidden.some(({ kind, id }) => kind === "writer" && id === uid),
  };
}

/** Returns the name of a writer whose page has no results; `null` if no story of theirs can be found. */
async function findAuthor(context: AppLoadContext, page: SearchPage): Promise<string | null> {
  const isAll =
    page.after === null && page.hiddenCount === 0 && !isFilteredSearch({ ...page, writer: "" });
  if (isAll || page.isPartial) return null;
  const author = await catchUnavailable(getPublishedStories(context).findAuthor(page.writer));
  return author instanceof UnavailableError ? null : (author ?? null);
}

/** Returns what writers that the user follows have published last, newest first; `null` while it is unavailable. */
async function loadNewStories(
  args: LoaderFunctionArgs,
  { following, hidden }: UserLibrary,
  mayReuse: boolean,
): Promise<NewStory[] | null> {
  if (following.length === 0) return [];
  const published = getPublishedStories(args.context);
  const writers = following.map(({ uid }) => uid);
  const stories = await catchUnavailable(published.listOf(writers, mayReuse));
  if (stories instanceof UnavailableError) return null;
  const findHiding = createHiding(hidden);
  return stories
    .filter((story) => !findHiding(story))
    .toSorted((a, b) => getLatestTime(b) - getLatestTime(a))
    .slice(0, MAX_NEW_STORIES)
    .map((story) => toNewStory(args, story));
}

function toNewStory({ request, context }: LoaderFunctionArgs, story: PublishedStory): NewStory {
  const locale = getLocale(request, context);
  return {
    ...toStoryEntry(story),
    isNewChapter: getLatestTime(story) > story.publishedAt,
    when: formatDayInText(getLatestTime(story), locale, Date.now()),
  };
}

interface LineArgs {
  books: readonly Book[];
  library: UserLibrary;
  room: Pick<RoomData, "feed" | "isEarlier">;
  mayAsk: boolean;
}

/**
 * Returns what was last said about each book, as far as the user has read it; `null` for a book of which this isolate does not
 * know. Visitors have read nothing.
 */
async function loadLines(
  { request, context }: LoaderFunctionArgs,
  { books, library, room, mayAsk }: LineArgs,
): Promise<Record<string, ShownLine | null>> {
  const stories = listReadable(books).map(({ id }) => id);
  function getLastReachedIn(id: string) {
    const positions = library.read.filter(({ story }) => story === id);
    return hasReadAll(positions, null) ? WHOLE_STORY : getLastReached(positions);
  }
  const { lines, isComplete } = await loadStoryLines(
    { request, context },
    { stories, getLastReached: getLastReachedIn, room, mayAsk },
  );
  const locale = getLocale(request, context);
  const now = Date.now();

  function toShownLine(story: string): [string, ShownLine | null][] {
    const line = lines[story];
    if (!line) return isComplete ? [] : [[story, null]];
    const { displayName, photoURL, createdAt, words, number } = line;
    const shownLine = {
      name: displayName,
      photoURL,
      words: truncateWords(words, MAX_LINE_LENGTH),
      when: createdAt === null ? "" : formatAgo(createdAt, locale, now),
      chapter: findChapter(story, number),
    };
    return [[story, shownLine]];
  }

  return Object.fromEntries(stories.flatMap(toShownLine));
}
