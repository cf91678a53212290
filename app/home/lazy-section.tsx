import { useUser } from "#app/session/user.ts";
import { PlaceContext } from "#app/stories/library/library-form.tsx";
import type { FollowedWriter, HiddenItem, SavedStory } from "#app/stories/library/library.ts";
import type { SearchPage } from "#app/stories/search.ts";
import type { InProgressStory } from "./book-card.tsx";
import { OwnShelf, SavedShelf, type NewStory } from "./shelves.tsx";
import { LIST_ID, StoryList } from "./story-list.tsx";
import { WriterHead, type WriterView } from "./writer-head.tsx";

/** What the sections show. */
export interface SectionsData {
  /** The stories that the user is reading, newest first. */
  inProgress: InProgressStory[];
  /** Whether the positions in the user's account could not be read, so that some stories may be missing. */
  isInProgressPartial: boolean;
  saved: SavedStory[];
  following: FollowedWriter[];
  /** What the user has hidden from lists. */
  hidden: HiddenItem[];
  /** Whether that is the one tag of the page. */
  isTagHidden: boolean;
  /** The list, or the results of a search. */
  page: SearchPage;
  /** The writer whose stories are listed; `null` for all. */
  writer: WriterView | null;
  /** What followed writers have published last; `null` when the database does not respond. */
  newStories: NewStory[] | null;
  /** How many stories writers have published, and when the newest; `null` if it is not known. */
  published: string | null;
}

export interface LazySectionProps {
  name: "writer" | "list" | "own" | "saved";
  home: SectionsData;
}

/**
 * A section of /home whose script is loaded with the first interaction. Until then its links and forms work as HTML.
 */
export function LazySection({ name, home }: LazySectionProps) {
  const user = useUser();
  const { page, writer, saved } = home;
  switch (name) {
    case "writer":
      return writer && <WriterHead writer={writer} page={page} isOwn={writer.uid === user?.uid} />;
    case "list":
      return (
        <PlaceContext.Provider value={`#${LIST_ID}`}>
          <StoryList {...home} savedIds={saved.map(({ id }) => id)} />
        </PlaceContext.Provider>
      );
    case "own":
      return <OwnShelf {...home} />;
    case "saved":
      return <SavedShelf stories={saved} />;
  }
}
