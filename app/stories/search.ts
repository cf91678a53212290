import { truncate } from "#app/ui/truncate.ts";
import { findStoryType, type StoryType, type StoryEntry } from "./story.ts";

const MAX_QUERY_LENGTH = 100;
export const MAX_TAG_LENGTH = 60;
const MAX_TAGS = 5;

/** A language tag as `LANGUAGES` has them. The list itself would be in every page's scripts. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z][A-Za-z]{1,3})?$/;

const SORTS = ["new", "updated", "short", "long"] as const;

/** The order of results: by the time of publication, by the time of the last change, or by length. */
export type Sort = (typeof SORTS)[number];

/** The last story that a page of results has looked at, and its value in the order of the results. */
export interface SearchCursor {
  value: number;
  id: string;
}

/** A search for stories, as the address of /home contains it. */
export interface StorySearch {
  /** Empty for no search. */
  query: string;
  type: StoryType | undefined;
  /** A result has all of these tags. */
  tags: string[];
  /** A result has none of these tags. */
  withoutTags: string[];
  /** The id of a writer; empty for all. */
  writer: string;
  /** The language of the results, as in `LANGUAGES`; `undefined` for all. */
  language: string | undefined;
  /** `undefined` for the default order: built-in stories in their order, then the newest. */
  sort: Sort | undefined;
  /** Results come after it; `null` for the first page. */
  after: SearchCursor | null;
}

/** Reads a search from the query of an address. Ignores invalid values. */
export function readSearch(params: URLSearchParams): StorySearch {
  const names = params
    .getAll("tag")
    .map((tag) => truncate(tag.trim().toLowerCase(), MAX_TAG_LENGTH))
    .slice(0, MAX_TAGS);
  const isLeftOut = (tag: string) => tag.startsWith("-");
  return {
    query: truncate((params.get("q") ?? "").trim(), MAX_QUERY_LENGTH),
    type: findStoryType(params.get("type")),
    tags: [...new Set(names.filter((tag) => tag !== "" && !isLeftOut(tag)))],
    withoutTags: [
      ...new Set(
        names
          .filter(isLeftOut)
          .map((tag) => tag.slice(1).trim())
          .filter(Boolean),
      ),
    ],
    writer: readId(params.get("writer") ?? ""),
    language: LANGUAGE.exec(params.get("lang") ?? "")?.[0],
    sort: SORTS.find((sort) => sort === params.get("sort")),
    after: readSearchCursor(params.get("after") ?? ""),
  };
}

/** Whether the search asks for anything but the unfiltered list. */
export function isFilteredSearch({
  query,
  type,
  tags,
  withoutTags,
  writer,
  language,
  sort,
}: StorySearch): boolean {
  return (
    query !== "" ||
    type !== undefined ||
    tags.length + withoutTags.length > 0 ||
    writer !== "" ||
    language !== undefined ||
    sort !== undefined
  );
}

/** The unfiltered list, which is further down on the page. */
export const ALL_PATH = "/home#books-and-quests";

/** Returns the fields of a search as they are in the address: of the first page, unless `changes` contains `after`. */
export function toSearchFields(
  search: StorySearch,
  changes: Partial<StorySearch> = {},
): [name: string, value: string][] {
  const { query, type, tags, withoutTags, writer, language, sort, after } = {
    ...search,
    after: null,
    ...changes,
  };
  const fields: [string, string | undefined][] = [
    ["q", query],
    ["type", type],
    ...tags.map((tag): [string, string] => ["tag", tag]),
    ...withoutTags.map((tag): [string, string] => ["tag", `-${tag}`]),
    ["writer", writer],
    ["lang", language],
    ["sort", sort],
    ["after", after ? formatSearchCursor(after) : ""],
  ];
  return fields.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []));
}

/** Returns the address of a changed search. */
export function toSearchPath(search: StorySearch, changes: Partial<StorySearch> = {}): string {
  const fields = toSearchFields(search, changes);
  return fields.length > 0 ? `/home?${new URLSearchParams(fields)}` : ALL_PATH;
}

/** Returns the address of the list of one type. */
export function toTypePath(type: StoryType): string {
  return `/home?${new URLSearchParams({ type })}`;
}

function formatSearchCursor({ value, id }: SearchCursor): string {
  return `${value}-${id}`;
}

function readSearchCursor(text: string): SearchCursor | null {
  const [, value, id = ""] = /^(\d{1,16}(?:\.\d{1,3})?)-(.+)$/.exec(text) ?? [];
  return value !== undefined && readId(id) !== "" ? { value: Number(value), id } : null;
}

/** Returns the id, or an empty string if it is invalid. */
function readId(id: string): string {
  return /^(?!\.\.?$)(?!__.*__$)[\w.~-]{1,200}$/.test(id) ? id : "";
}

/** What a search without results may have meant: the title of a story or the name of a writer. */
export interface Suggestion {
  name: string;
  path: string;
}

/** A language, with its own name. */
export interface Language {
  tag: string;
  name: string;
}

/** A page of the results of a search. */
export interface SearchResults {
  results: StoryEntry[];
  /** Where the next page begins; `null` on the last page. */
  next: SearchCursor | null;
  /** How many stories of this page of results are not shown, because the user has hidden them. */
  hiddenCount: number;
  /** The most frequent tags of the results, without those of the search. */
  offeredTags: string[];
  /** The nearest titles and writers, if nothing was found. */
  suggestions: Suggestion[];
  /** Whether published stories could not be searched. */
  isPartial: boolean;
}

export interface SearchPage extends StorySearch, SearchResults {
  /** The languages that the listed stories are in, and the one that is asked for. */
  languages: Language[];
}
