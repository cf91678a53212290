import { Link as RouterLink } from "@remix-run/react";
import type { ReactNode } from "react";

import { toStoryPath, toWriterPath } from "#app/stories/book.ts";
import type { SavedStory } from "#app/stories/library/library.ts";
import { SaveButton } from "#app/stories/library/save-button.tsx";
import type { StoryEntry } from "#app/stories/story-entry.ts";
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

export interface NewStoriesProps {
  /** `null` when they are unavailable. */
  stories: NewStory[] | null;
  /** The writers that the user follows. Their stories come first. */
  following: readonly { uid: string; name: string }[];
}

/** The newest published stories. Renders nothing if there are none, and a message if they are unavailable. */
export function NewStories({ stories, following }: NewStoriesProps) {
  if (stories?.length === 0) return null;
  return (
    <section className={styles.shelf} aria-labelledby="new-stories">
      <div className={styles.head}>
        <h2 id="new-stories">New from our writers</h2>
        <Link variant="standalone" to="/home?sort=new">
          All stories
        </Link>
      </div>
      {following.length > 0 ? (
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
      ) : null}
      {stories ? (
        <ul className={styles.list}>
          {stories.map((story) => (
            <StoryRow key={story.id} {...story}>
              {story.isNewChapter ? "New chapter" : `${story.minutes} min`} · {story.when}
            </StoryRow>
          ))}
        </ul>
      ) : (
        <p>We can't load new stories right now. Try again in a moment.</p>
      )}
    </section>
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
  /** Whether the positions in the user's account could not be read, so that some stories may be missing. */
  isPartial: boolean;
}

/** The stories that the user is reading, newest first. Renders nothing without any. */
export function ContinueStrip({ inProgress, isPartial }: ContinueStripProps) {
  if (inProgress.length === 0 && !isPartial) return null;
  return (
    <section className={styles.shelf} aria-labelledby="continue">
      <h2 id="continue">Continue reading</h2>
      {isPartial ? (
        <p>We can't load your reading positions right now. Try again in a moment.</p>
      ) : null}
      <ul className={styles.list}>
        {inProgress.map(({ story, title, cover, percent, minutesLeft }) => (
          <StoryCard
            key={story}
            id={story}
            title={title}
            cover={cover}
            to={toStoryPath(story)}
            isCompact
          >
            <p className={styles.progress}>
              {percent}% · {minutesLeft} min left
            </p>
            <ProgressTrack percent={percent} />
          </StoryCard>
        ))}
      </ul>
    </section>
  );
}

interface StoryRowProps {
  id: string;
  title: string;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  author: string | null;
  writer: string | null;
  children?: ReactNode;
}

/** A compact card of a story with its writer. */
function StoryRow({ id, title, cover, author, writer, children }: StoryRowProps) {
  return (
    <StoryCard id={id} title={title} cover={cover} to={toStoryPath(id)} isCompact>
      <p className={styles.byline}>
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
