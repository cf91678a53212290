import { Link } from "@remix-run/react";

import { toTypePath } from "#app/stories/search.ts";
import type { StoryEntry } from "#app/stories/story.ts";
import { truncateWords } from "#app/ui/truncate.ts";
import styles from "./sample-list.module.css";
import { StoryCard, StoryItem } from "./story-card.tsx";

/** The longest description of a quest, in UTF-16 units. */
const MAX_QUEST_LENGTH = 60;

export interface SampleListProps {
  stories: readonly StoryEntry[];
  /** The ids of the stories that the user has saved for later. */
  savedIds: readonly string[];
  /** How many stories writers have published, and when the newest; `null` if it is not known. */
  published: string | null;
}

/** The unfiltered list: books, a link to all stories by writers, and the quests in one box. */
export function SampleList({ stories, savedIds, published }: SampleListProps) {
  const quests = stories.filter(({ type }) => type === "quest");
  return (
    <div className={styles.list}>
      <ul className={styles.books}>
        {stories
          .filter(({ type }) => type !== "quest")
          .map((story) => (
            <StoryItem
              key={story.readLink}
              story={story}
              isSaved={savedIds.includes(story.id)}
              isBrief
            />
          ))}
        <li className={styles.all}>
          <Link className={styles.allLink} to={toTypePath("story")}>
            <b className={styles.allTitle}>Stories by our writers</b>
            {published ?? "Everything that has been published here"}
          </Link>
        </li>
      </ul>
      {quests.length > 0 ? (
        <section className={styles.quests} aria-labelledby="quests">
          <p className={styles.head} id="quests">
            Quests <span className={styles.closed}>Not open yet</span>
          </p>
          <ul className={styles.rows}>
            {quests.map(({ id, title, description, cover, readLink, language }) => (
              <StoryCard
                key={readLink}
                id={id}
                title={title}
                language={language}
                cover={cover}
                to={readLink}
                redirectsHome
                isCompact
              >
                <p className={styles.description} lang={language} dir="auto">
                  {truncateWords(getFirstSentence(description), MAX_QUEST_LENGTH)}
                </p>
              </StoryCard>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function getFirstSentence(text: string): string {
  return /^.+?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
