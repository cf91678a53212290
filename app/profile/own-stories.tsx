import { toStoryPath, toWriterPath } from "#app/stories/book.ts";
import type { StoryWithCounts } from "#app/stories/counts/counts-schema.ts";
import { MAX_COUNTED_STORIES } from "#app/stories/story.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import styles from "./own-stories.module.css";

export interface OwnStoriesProps {
  /** `null` when they cannot be read. */
  stories: StoryWithCounts[] | null;
  /** The user. */
  uid: string;
}

/** The user's published stories, with how many readers opened and finished them and said thanks. */
export function OwnStories({ stories, uid }: OwnStoriesProps) {
  return (
    <section className={styles.section} aria-labelledby="own-stories-heading">
      <h2 className={styles.heading} id="own-stories-heading">
        Your stories
      </h2>
      <StoryTable stories={stories} uid={uid} />
    </section>
  );
}

function StoryTable({ stories, uid }: OwnStoriesProps) {
  if (!stories) return <p>We can't load your stories right now. Try again in a moment.</p>;
  if (stories.length === 0) {
    return (
      <>
        <p>You haven't published a story yet.</p>
        <ButtonLink to="/create" variant="quiet">
          Write a story
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <p id="own-stories-note">
        For each story, a signed-in reader is counted once when they open it, once when they finish
        it, and once when they thank you. You and visitors who aren't signed in aren't counted. Only
        you can see these numbers, and they don't show who the readers are.
      </p>
      <table
        className={styles.table}
        aria-labelledby="own-stories-heading"
        aria-describedby="own-stories-note"
      >
        <thead>
          <tr>
            <th scope="col">Story</th>
            <th scope="col">Opened</th>
            <th scope="col">Finished</th>
            <th scope="col">Thanks</th>
          </tr>
        </thead>
        <tbody>
          {stories.map(({ id, title, opens, finishes, thanks }) => (
            <tr key={id}>
              <th scope="row">
                <Link variant="standalone" dir="auto" to={toStoryPath(id)}>
                  {title}
                </Link>
              </th>
              <td>{opens.toLocaleString("en")}</td>
              <td>{finishes.toLocaleString("en")}</td>
              <td>{thanks.toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {stories.length === MAX_COUNTED_STORIES ? (
        <p>
          These are {MAX_COUNTED_STORIES} of your stories.{" "}
          <Link to={toWriterPath(uid)}>Your page</Link> has all of them.
        </p>
      ) : null}
    </>
  );
}
