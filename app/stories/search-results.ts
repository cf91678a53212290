import type { SearchCursor, StorySearch } from "./search-params.ts";
import type { StoryEntry } from "./story-entry.ts";

/** A page of the results of a search. */
export interface SearchResults {
  results: StoryEntry[];
  /** Where the next page begins; `null` on the last page. */
  next: SearchCursor | null;
  /** The most frequent tags of the results, without those of the search. */
  offeredTags: string[];
  /** Whether published stories could not be searched. */
  isPartial: boolean;
}

export type SearchPage = StorySearch & SearchResults;
