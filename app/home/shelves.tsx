import { Link as RouterLink } from "@remix-run/react";
import type { ReactNode } from "react";

import { toStoryPath, toWriterPath } from "#app/stories/book.ts";
import type { SavedStory } from "#app/stories/library/library.ts";
import { SaveButton } from "#app/stories/library/save-button.tsx";
import type { StoryEntry } from "#app/stories/story.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Link } from "#app/ui/link.tsx";
import { ProgressTrack } from "#app/ui/progress-track.tsx";
import type { InProgressStory } from "./book-card.tsx";
import styles from "./shelves.module.css";
import { StoryCard } from "./story-card.tsx";

/** A new story, or one with a new chapter. */
export interface NewStory extends StoryEntry {
  isNewChapter: boolean;
  /** When it was published or continued, such as "yesterday". */
  when: string;
}

export interface OwnShelfProps {
  inProgress: InProgressStory[];
  /** Whether the positions in the user's account could not be read, so that some stories may be missing. */
  isInProgressPartial: boolean;
  /** What followed writers have published last, newest first; `null` when it is unavailable. */
  newStories: NewStory[] | null;
  /** The writers that the user follows. */
  following: readonly { uid: string; name: string }[];
}

/** What is new to the user: the stories that they are reading, and those of the writers that they follow. */
export function OwnShelf({
  inProgress,
  isInProgressPartial,
  newStories,
  following,
}: OwnShelfProps) {
  const isReading = inProgress.length > 0 || isInProgressPartial;
  if (!isReading && following.length === 0) return null;
  return (
    <div className={styles.own}>
      <div className={styles.columns}>
        {isReading ? (
          <ContinueStrip inProgress={inProgress} isPartial={isInProgressPartial} />
        ) : null}
        {following.length > 0 ? <NewStories stories={newStories} following={following} /> : null}
      </div>
    </div>
  );
}

interface NewStoriesProps {
  stories: OwnShelfProps["newStories"];
  following: OwnShelfProps["following"];
}

/** The newest stories of the writers that the user follows. */
function NewStories({ stories, following }: NewStoriesProps) {
  return (
    <section className={styles.shelf} aria-labelledby="new-stories">
      <div className={styles.head}>
        <h2 className={styles.heading} id="new-stories">
          New from writers you follow
        </h2>
        <ShowAll count={stories?.length ?? 0} shownOnPhones={2} />
      </div>
      {stories ? (
        <ul className={styles.rows}>
          {stories.map((story) => (
            <StoryRow key={story.id} {...story}>
              {story.isNewChapter ? "new chapter" : `new story · ${story.minutes} min`} ·{" "}
              {story.when}
            </StoryRow>
          ))}
        </ul>
      ) : (
        <p>We can't load new stories right now. Try again in a moment.</p>
      )}
      {stories?.length === 0 ? (
        <p className={styles.meta}>They haven't published anything yet.</p>
      ) : null}
      <p className={styles.following}>
        You follow{" "}
        {following.map(({ uid, name }, index) => (
          <span key={uid}>
            {index > 0 ? ", " : null}
            <Link to={toWriterPath(uid)}>
              <Bdi>{name}</Bdi>
            </Link>
          </span>
        ))}
        .
      </p>
    </section>
  );
}

/** How many items of a shelf wide windows show at first. `shelves.module.css` has the same number. */
const SHOWN_IN_WIDE_WINDOWS = 3;

interface ShowAllProps {
  count: number;
  /** How many items phones show at first. */
  shownOnPhones: number;
}

/** Shows the rest of a shelf, which the style sheet hides until then. */
function ShowAll({ count, shownOnPhones }: ShowAllProps) {
  if (count <= shownOnPhones) return null;
  return (
    <details className={styles.all} data-wide={count > SHOWN_IN_WIDE_WINDOWS || undefined}>
      <summary className={styles.more}>All {count}</summary>
    </details>
  );
}

const MAX_SHOWN = 6;

/** The stories that the user has saved for later, newest first. Renders nothing without any. */
export function SavedShelf({ stories }: { stories: readonly SavedStory[] }) {
  if (stories.length === 0) return null;
  const hiddenStories = stories.slice(MAX_SHOWN);
  return (
    <section className={styles.shelf} aria-labelledby="saved">
      <h2 id="saved">Saved for later</h2>
      <SavedRows stories={stories.slice(0, MAX_SHOWN)} />
      {hiddenStories.length > 0 ? (
        <details className={styles.hiddenStories}>
          <summary className={styles.more}>{hiddenStories.length} more</summary>
          <SavedRows stories={hiddenStories} />
        </details>
      ) : null}
    </section>
  );
}

function SavedRows({ stories }: { stories: readonly SavedStory[] }) {
  return (
    <ul className={styles.list}>
      {stories.map(({ minutes, isWithdrawn, ...story }) => (
        <StoryRow key={story.id} {...story}>
          {isWithdrawn ? "withdrawn" : `${minutes} min`}
          <SaveButton id={story.id} title={story.title} isSaved />
        </StoryRow>
      ))}
    </ul>
  );
}

interface ContinueStripProps {
  inProgress: InProgressStory[];
  isPartial: boolean;
}

/** The stories that the user is reading, newest first. The first has more space. */
function ContinueStrip({ inProgress, isPartial }: ContinueStripProps) {
  return (
    <section className={styles.shelf} aria-labelledby="continue">
      <div className={styles.head}>
        <h2 className={styles.heading} id="continue">
          Continue reading
        </h2>
        <ShowAll count={inProgress.length} shownOnPhones={1} />
      </div>
      {isPartial ? (
        <p>We can't load your reading positions right now. Try again in a moment.</p>
      ) : null}
      <ul className={styles.continue}>
        {inProgress.map(({ story, title, cover, percent, minutesLeft }, index) => (
          <StoryCard
            key={story}
            id={story}
            title={title}
            cover={cover}
            to={toStoryPath(story)}
            isCompact={index > 0}
          >
            <p className={styles.meta}>
              {percent}% · {minutesLeft} min left
            </p>
            <ProgressTrack percent={percent} />
            {index === 0 ? (
              // The whole card is the link.
              <span className={styles.go} aria-hidden="true">
                Continue
              </span>
            ) : null}
          </StoryCard>
        ))}
      </ul>
    </section>
  );
}

interface StoryRowProps {
  id: string;
  title: string;
  language?: string | undefined;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  author: string | null;
  writer: string | null;
  children?: ReactNode;
}

/** A compact card of a story with its writer. */
function StoryRow({ id, title, language, cover, author, writer, children }: StoryRowProps) {
  return (
    <StoryCard
      id={id}
      title={title}
      language={language}
      cover={cover}
      to={toStoryPath(id)}
      isCompact
    >
      <p className={styles.meta}>
        {author !== null && writer !== null ? (
          <>
            <RouterLink className={styles.author} to={toWriterPath(writer)}>
              <Bdi>{author}</Bdi>
            </RouterLink>{" "}
            ·{" "}
          </>
        ) : null}
        {children}
      </p>
    </StoryCard>
  );
}
