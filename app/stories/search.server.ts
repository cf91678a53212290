import type { AppLoadContext } from "@remix-run/cloudflare";

import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { toStoryPath, toTagName, toWriterPath, type Book } from "./book.ts";
import { BUILT_IN_WRITER, findBuiltIn, type BuiltInStory } from "./built-in.server.ts";
import { ENGLISH, getLanguageName } from "./languages.ts";
import { createHiding, withoutAsked } from "./library/hiding.server.ts";
import type { HiddenItem } from "./library/library.ts";
import { getPublishedStories, type PublishedStory } from "./published.server.ts";
import { sampleItems } from "./sample-items.server.ts";
import {
  isFilteredSearch,
  type SearchCursor,
  type Sort,
  type StorySearch,
  type Language,
  type SearchResults,
  type Suggestion,
} from "./search.ts";
import { getReadingMinutes, type StoryEntry } from "./story.ts";
import { matchesText, matchesStory, normalizeTag, splitQuery } from "./terms.ts";

/** How many published stories a page of results reads, if the index covers the whole search. */
const PAGE_SIZE = 24;

/** How many published stories a page of results looks at, if the index covers only a part of the search. */
export const MAX_SCANNED = 100;

/** How many results a page shows. More than all built-in stories. */
const MAX_SHOWN = 48;

const MAX_TAGS_OFFERED = 8;

/** An entry with the values it can be ordered by. Built-in stories have numbers near 0 instead of times. */
interface Candidate {
  entry: StoryEntry;
  words: number;
  publishedAt: number;
  updatedAt: number;
}

type Order = Sort | "default";

interface SearchArgs {
  context: AppLoadContext;
  books: readonly Book[];
  search: StorySearch;
  /** What the user has hidden. The writer and the tags that the search asks for are shown. */
  hidden: readonly HiddenItem[] | Promise<readonly HiddenItem[]>;
  /** Whether to save a request with a list of the newest stories that is up to five minutes old. */
  mayReuseNewest: boolean;
}

/**
 * Returns a page of results. Without a search, these are the sample items; a search for only a type of sample items
 * returns those of that type. Any other search returns the sample items, books and published stories that match all of
 * it.
 *
 * Firestore evaluates one part of a search: the longest word, a tag or the writer. The other parts filter what it
 * returns, at most `MAX_SCANNED` stories for a page.
 */
export async function findStories({
  context,
  books,
  search,
  hidden,
  mayReuseNewest,
}: SearchArgs): Promise<SearchResults> {
  const words = splitQuery(search.query);
  if (search.query !== "" && words.length === 0) return NO_RESULTS;
  const matches = createFilter(search, words);
  const order: Order = search.sort ?? "default";
  if (!hasPublished(search)) {
    const isShown = createVisibility(await hidden, search);
    const matching = listBuiltIn(books, isFilteredSearch(withoutType(search)))
      .filter(({ entry }) => matches(entry))
      .toSorted((a, b) => compare(a, b, order));
    const results = toResults(matching.filter(isShown), search, words);
    return {
      ...NO_RESULTS,
      results,
      hiddenCount: matching.length - results.length,
      offeredTags: offerTags(results, search),
    };
  }

  const published = getPublishedStories(context);
  const query = toPageQuery(search, words);
  const isByTerm = (query.word ?? query.tag ?? query.language) !== undefined;
  const [page, newest] = await Promise.all([
    catchUnavailable(published.listPage(query)),
    isByTerm ? catchUnavailable(published.list(mayReuseNewest)) : [],
  ]);
  const isPartial = page instanceof UnavailableError || newest instanceof UnavailableError;
  const { stories, end } = page instanceof UnavailableError ? NO_PAGE : page;
  const isInPage = (candidate: Candidate) =>
    (search.after === null || isAfter(candidate, search.after, order)) &&
    (end === null || !isAfter(candidate, end, order));
  const isShown = createVisibility(await hidden, search);
  const others = [
    ...listBuiltIn(books, true),
    ...(newest instanceof UnavailableError ? [] : newest).map(toCandidate),
  ].filter(isInPage);
  // The page comes last, because the list of the newest stories may be older.
  const matching = removeDuplicates([...others, ...stories.map(toCandidate)]).filter(({ entry }) =>
    matches(entry),
  );
  const visible = matching.filter(isShown).toSorted((a, b) => compare(a, b, order));

  const shown = visible.slice(0, MAX_SHOWN);
  const lastResult = shown.at(-1);
  const next = lastResult && shown.length < visible.length ? toCursor(lastResult, order) : end;
  const hiddenCount = matching.filter(
    (candidate) => !isShown(candidate) && (next === null || !isAfter(candidate, next, order)),
  ).length;
  const results = toResults(shown, search, words);
  const isFirst = search.after === null && words.length > 0;
  const hasNothing = results.length === 0 && next === null && isFirst;
  const suggestions = hasNothing
    ? findSuggestions(
        others.filter(isShown).map(({ entry }) => entry),
        words,
      )
    : [];
  const offeredTags = offerTags(results, search);
  return { results, next, hiddenCount, offeredTags, suggestions, isPartial };
}

/** For a search without letters and digits, because there is no index of words with others. */
const NO_RESULTS: SearchResults = {
  results: [],
  next: null,
  hiddenCount: 0,
  offeredTags: [],
  suggestions: [],
  isPartial: false,
};

/** Returns whether a candidate is shown to a user who has hidden something. */
function createVisibility(hidden: readonly HiddenItem[], search: StorySearch) {
  const findHiding = createHiding(withoutAsked(hidden, search));
  return ({ entry }: Candidate) => !findHiding(entry);
}

const NO_PAGE = { stories: [], end: null };

export function toStoryEntry(story: PublishedStory | BuiltInStory): StoryEntry {
  const { id, title, description, author, uid, tags, cover, words, isOngoing, language } = story;
  return {
    ...{ id, title, description, cover, author, tags, isOngoing, language },
    type: "story",
    readLink: toStoryPath(id),
    writer: uid,
    minutes: getReadingMinutes(words),
  };
}

export function toBookEntry({ id, title, cover }: Book): StoryEntry {
  const story = findBuiltIn(id);
  const details = story ? toStoryEntry(story) : NO_STORY;
  return { ...details, id, title, cover, type: "book", readLink: toStoryPath(id) };
}

const NO_STORY = {
  description: "",
  author: null,
  writer: null,
  tags: [],
  minutes: null,
  isOngoing: false,
};

/** Whether published stories may be among the results. */
function hasPublished(search: StorySearch): boolean {
  const { type, writer } = search;
  if (type === "quest" || type === "book" || writer === BUILT_IN_WRITER.uid) return false;
  return isFilteredSearch(search);
}

function withoutType(search: StorySearch): StorySearch {
  return { ...search, type: undefined };
}

function createFilter(
  { type, tags, withoutTags, writer, language }: StorySearch,
  words: readonly string[],
): (entry: StoryEntry) => boolean {
  const requiredTags = tags.map(normalizeTag);
  const unwanted = withoutTags.map(normalizeTag);
  return (entry) => {
    if (type !== undefined && entry.type !== type) return false;
    if (writer !== "" && entry.writer !== writer) return false;
    if (language !== undefined && entry.language !== language) return false;
    const own = entry.tags.map(normalizeTag);
    if (!requiredTags.every((tag) => own.includes(tag))) return false;
    if (unwanted.some((tag) => own.includes(tag))) return false;
    return matchesStory(entry, words);
  };
}

/** Returns the part of a search that Firestore evaluates. */
function toPageQuery(search: StorySearch, words: readonly string[]) {
  const { tags, withoutTags, writer, language, sort, after } = search;
  const longest = words.toSorted((a, b) => b.length - a.length)[0];
  const criteria =
    words.length +
    tags.length +
    withoutTags.length +
    (writer === "" ? 0 : 1) +
    (language === undefined ? 0 : 1);
  const tag = writer === "" && longest === undefined ? tags[0] : undefined;
  return {
    word: writer === "" ? longest : undefined,
    tag,
    writer: writer === "" ? undefined : writer,
    language: writer === "" && longest === undefined && tag === undefined ? language : undefined,
    sort: sort ?? "new",
    after: after ?? undefined,
    limit: criteria > 1 || withoutTags.length > 0 ? MAX_SCANNED : PAGE_SIZE,
  };
}

/** @param isAll whether to include the books that are not sample items */
function listBuiltIn(books: readonly Book[], isAll: boolean): Candidate[] {
  const items = sampleItems.map(({ title, description, type, imgPath, readLink }) => {
    const book = toBookEntry({ id: getLastSegment(readLink), title, cover: imgPath });
    return { ...book, description, type, readLink, language: ENGLISH };
  });
  const others = (isAll ? books : [])
    .map(toBookEntry)
    .filter(({ readLink }) => items.every((item) => item.readLink !== readLink));
  const entries = [...items, ...others];
  return entries.map((entry, index) => ({
    entry,
    words: findBuiltIn(entry.id)?.words ?? 0,
    publishedAt: entries.length - index,
    updatedAt: entries.length - index,
  }));
}

function getLastSegment(readLink: string): string {
  return decodeURIComponent(readLink.slice(readLink.lastIndexOf("/") + 1));
}

function toCandidate(story: PublishedStory): Candidate {
  const { words, publishedAt, updatedAt } = story;
  return { entry: toStoryEntry(story), words, publishedAt, updatedAt };
}

function getSortKey({ entry, words, publishedAt, updatedAt }: Candidate, order: Order): number {
  if (order === "updated") return updatedAt;
  if (order === "long") return words;
  // Quests have no length, so they come last in both orders.
  if (order === "short") return entry.type === "quest" ? LAST_KEY : words;
  const isFirst = order === "default" && entry.type !== "story";
  return isFirst ? publishedAt + LAST_KEY : publishedAt;
}

/** Later than any publication, in milliseconds, and more than the words of any story. */
const LAST_KEY = 8.64e15;

function compare(a: Candidate, b: Candidate, order: Order): number {
  const [first, second] = order === "short" ? [a, b] : [b, a];
  const difference = getSortKey(first, order) - getSortKey(second, order);
  return difference === 0 ? compareIds(first.entry.id, second.entry.id) : difference;
}

function isAfter(candidate: Candidate, { value, id }: SearchCursor, order: Order): boolean {
  const difference = getSortKey(candidate, order) - value || compareIds(candidate.entry.id, id);
  return order === "short" ? difference > 0 : difference < 0;
}

function toCursor(candidate: Candidate, order: Order): SearchCursor {
  return { value: getSortKey(candidate, order), id: candidate.entry.id };
}

/** Compares ids by their bytes, as Firestore does. */
function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Of candidates for the same story, the last one stays. */
function removeDuplicates(candidates: readonly Candidate[]): Candidate[] {
  return [
    ...new Map(candidates.map((candidate) => [candidate.entry.readLink, candidate])).values(),
  ];
}

/** Puts the results whose titles contain all words first, unless the search has its own order. */
function toResults(
  candidates: readonly Candidate[],
  { sort }: StorySearch,
  words: readonly string[],
): StoryEntry[] {
  const results = candidates.map(({ entry }) => entry);
  if (sort || words.length === 0) return results;
  const isTitleMatch = (entry: StoryEntry) => Number(matchesText(entry.title, words));
  return results.toSorted((a, b) => isTitleMatch(b) - isTitleMatch(a));
}

/** Returns the languages of stories, the most frequent first, and the one that is asked for. */
export function listLanguages(
  stories: readonly Pick<StoryEntry, "language">[],
  asked: string | undefined,
): Language[] {
  const counts = new Map<string, number>();
  for (const { language } of stories) {
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  if (asked !== undefined && !counts.has(asked)) counts.set(asked, 0);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([tag]) => ({ tag, name: getLanguageName(tag) }));
}

function offerTags(results: readonly StoryEntry[], { tags, withoutTags }: StorySearch): string[] {
  const counts = new Map<string, number>();
  for (const tag of results.flatMap((entry) => entry.tags)) {
    const name = toTagName(tag);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([tag]) => tag !== "" && !tags.includes(tag) && !withoutTags.includes(tag))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_TAGS_OFFERED)
    .map(([tag]) => tag);
}

const MAX_SUGGESTED = 3;

/** Returns up to three titles and writers nearest to a search. Up to a third of the letters of each word may differ. */
function findSuggestions(entries: readonly StoryEntry[], words: readonly string[]): Suggestion[] {
  const candidates = entries.flatMap(({ title, readLink, author, writer }) => [
    { name: title, path: readLink },
    ...(author !== null && writer !== null ? [{ name: author, path: toWriterPath(writer) }] : []),
  ]);
  return [...new Map(candidates.map((candidate) => [candidate.path, candidate])).values()]
    .map((candidate) => ({ candidate, distance: getDistance(words, splitQuery(candidate.name)) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTED)
    .map(({ candidate }) => candidate);
}

/** Returns how many letters differ between a search and a name; `Infinity` if a word of the search is too different. */
function getDistance(words: readonly string[], nameWords: readonly string[]): number {
  const distances = words.map((word) => {
    const nearest = Math.min(...nameWords.map((other) => countEdits(word, other)));
    return nearest <= Array.from(word).length / 3 ? nearest : Infinity;
  });
  return distances.reduce((sum, distance) => sum + distance, 0);
}

/** Returns how many changed, added, omitted or swapped letters turn one word into the beginning of another. */
function countEdits(word: string, other: string): number {
  const [a, b] = [Array.from(word), Array.from(other).slice(0, word.length + 2)];
  let before: number[] = [];
  let row = b.map((_, index) => index + 1);
  row.unshift(0);
  for (const [i, letter] of a.entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of b.entries()) {
      const changed = (row[j] ?? 0) + (letter === otherLetter ? 0 : 1);
      const isSwapped = letter === b[j - 1] && a[i - 1] === otherLetter;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return Math.min(...row);
}
