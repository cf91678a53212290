import type { AppLoadContext } from "@remix-run/cloudflare";
import { renderToStaticMarkup } from "react-dom/server";

import { TALK_STORY, toRoomPath, toTalkPath } from "#app/chat/room-address.ts";
import { STORY_END_ID, type AdjacentStory } from "#app/reading/reading-data.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { Logo } from "#app/site/shell/shell.tsx";
import { toStoryPath, toWriterPath } from "#app/stories/book.ts";
import { builtInStories, findBuiltIn, type BuiltInStory } from "#app/stories/built-in.server.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import type { FindHiding } from "#app/stories/library/hiding.server.ts";
import { getPublishedStories, type PublishedStory } from "#app/stories/published.server.ts";
import type { ReaderCounts } from "#app/stories/readers/readers.ts";
import { getLocalAdjacent, isPublishedId } from "#app/stories/stories.server.ts";
import { getReadingMinutes, type Story } from "#app/stories/story.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import button from "#app/ui/button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./story-end.module.css";

/** How many covers of other stories by the writer are shown. */
const MAX_COVERS = 3;

const HEART = "M10 16.5 3.8 10.3a3.9 3.9 0 0 1 5.5-5.5l.7.7.7-.7a3.9 3.9 0 0 1 5.5 5.5L10 16.5Z";
const CHAIN =
  "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1";

export interface StoryEndProps {
  story: Pick<Story, "id" | "uid" | "title" | "author" | "isOngoing">;
  /** Whether the user has thanked the writer; `null` where that is not possible. */
  isThanked: boolean | null;
  /** Whether the story is on the user's shelf. */
  isSaved: boolean;
  /** Whether the user follows the writer; `null` where that is not possible. */
  isFollowed: boolean | null;
  /** `undefined` for visitors. */
  uid: string | undefined;
  /** How many messages quote the story; `null` if it was not counted. */
  quotes: number | null;
  next: NextStory | null;
  /** How many people have each story open, as far as this isolate has read the numbers recently. */
  readers: ReaderCounts;
  /** Other stories by the writer. */
  byWriter: NextStory[];
  previous: AdjacentStory | null;
  following: AdjacentStory | null;
}

/**
 * Renders what follows the text, so that its code is not part of the page's scripts. It consists of links and forms;
 * `StoryEndActions` enhances them.
 */
export function renderStoryEnd(props: StoryEndProps): string {
  return renderToStaticMarkup(<StoryEndContent {...props} />);
}

function StoryEndContent(props: StoryEndProps) {
  const { story, next, readers, previous, following, uid } = props;
  const path = toStoryPath(story.id);
  const isNamed = next && following && following.path === toStoryPath(next.id);
  return (
    <>
      <div className={styles.top}>
        <Logo />
        <p>
          <Bdi>{story.title}</Bdi> {story.isOngoing ? "isn't finished yet." : "ends here."}
        </p>
        <div className={styles.actions}>
          <ThankForm {...props} />
          {/* Without scripts, what is sent there is about the story. */}
          <a className={styles.action} href={toTalkPath(path, TALK_STORY)} data-quote>
            <Icon name="quote" />
            Quote in the room
          </a>
          <SaveForm {...props} />
          <button className={styles.action} type="button" data-copy={path}>
            <Icon path={CHAIN} />
            Copy the link
          </button>
        </div>
      </div>
      {next ? <NextCard next={next} readers={readers[next.id] ?? 0} /> : null}
      <div className={styles.cards}>
        <WriterCard {...props} />
        <RoomCard {...props} />
      </div>
      <div className={styles.foot}>
        {isPublishedId(story.id) && story.uid !== uid ? (
          <p className={styles.links}>
            <a href={`${path}/report`}>Report this story</a>
          </p>
        ) : null}
        <nav className={styles.links} aria-label="More stories">
          <AdjacentLink story={previous} rel="prev" name="Previous" />
          {isNamed ? null : <AdjacentLink story={following} rel="next" name="Next" />}
        </nav>
      </div>
    </>
  );
}

function ThankForm({ story, isThanked, uid }: StoryEndProps) {
  if (isThanked === null) return null;
  if (uid === undefined) {
    const returnTo = `${toStoryPath(story.id)}#${STORY_END_ID}`;
    return (
      <a className={styles.action} href={getSignInPath(returnTo, "thank")}>
        <Icon path={HEART} />
        Thank the writer<VisuallyHidden> (sign in first)</VisuallyHidden>
      </a>
    );
  }
  return (
    <form method="post" action="/thanks">
      <input type="hidden" name="story" value={story.id} />
      <input type="hidden" name="uid" value={uid} />
      <button
        className={styles.action}
        type="submit"
        name="thanks"
        value={isThanked ? "0" : "1"}
        data-pressed={isThanked || undefined}
      >
        <Icon path={HEART} />
        {isThanked ? "Thanked" : "Thank the writer"}
        {isThanked ? <VisuallyHidden> (press to undo)</VisuallyHidden> : null}
      </button>
    </form>
  );
}

const BOOKMARK = "M5.5 3h9v14L10 13.5 5.5 17Z";

function SaveForm({ story, isSaved }: StoryEndProps) {
  return (
    <form method="post" action="/saved">
      <input type="hidden" name="story" value={story.id} />
      <input type="hidden" name="returnTo" value={`${toStoryPath(story.id)}#${STORY_END_ID}`} />
      <button
        className={styles.action}
        type="submit"
        name="intent"
        value={isSaved ? "remove" : "save"}
        aria-pressed={isSaved}
        data-pressed={isSaved || undefined}
      >
        <Icon path={BOOKMARK} />
        Save for later
      </button>
    </form>
  );
}

/** The button to follow the writer. Visitors have to sign in first. */
function FollowForm({ story, isFollowed }: StoryEndProps) {
  if (isFollowed === null) return null;
  return (
    <form method="post" action="/following">
      <input type="hidden" name="writer" value={story.uid} />
      <input type="hidden" name="returnTo" value={`${toStoryPath(story.id)}#${STORY_END_ID}`} />
      <button
        className={[button.button, styles.follow].join(" ")}
        data-variant="quiet"
        type="submit"
        name="intent"
        value={isFollowed ? "unfollow" : "follow"}
        aria-label={isFollowed ? `Following ${story.author}` : `Follow ${story.author}`}
        data-on={isFollowed || undefined}
      >
        {isFollowed ? "Following" : "Follow"}
      </button>
    </form>
  );
}

function NextCard({ next, readers }: { next: NextStory; readers: number }) {
  const { id, title, author, description, cover, tags, minutes, isSameWriter, language } = next;
  const path = toStoryPath(id);
  return (
    <section className={styles.next} aria-labelledby="next-story">
      <div className={styles.cover}>
        <Cover id={id} title={title} src={cover} />
      </div>
      <div className={styles.words}>
        <p className={styles.label}>
          {isSameWriter ? (
            <>
              Next by <Bdi>{author}</Bdi>
            </>
          ) : (
            "Read next"
          )}
        </p>
        <h2 id="next-story" lang={language} dir="auto">
          {title}
        </h2>
        <p className={styles.meta}>
          {isSameWriter ? null : (
            <>
              <Bdi>{author}</Bdi> ·{" "}
            </>
          )}
          {minutes} min
          {tags.length > 0 ? (
            <>
              {" "}
              · <Bdi>{tags.slice(0, 3).join(", ")}</Bdi>
            </>
          ) : null}
          {readers > 0 ? <b className={styles.readers}> · {readers} reading now</b> : null}
        </p>
        {description ? (
          <p lang={language} dir="auto">
            {description}
          </p>
        ) : null}
        <a className={[button.button, styles.go].join(" ")} href={path} rel="next" data-go>
          Read it next<VisuallyHidden> {title}</VisuallyHidden>
        </a>
      </div>
    </section>
  );
}

function WriterCard(props: StoryEndProps) {
  const { story, byWriter } = props;
  const { uid, author } = story;
  const path = toWriterPath(uid);
  return (
    <section className={styles.card} aria-labelledby="writer">
      <div className={styles.writer}>
        <h2 id="writer" dir="auto">
          {author}
        </h2>
        <FollowForm {...props} />
      </div>
      {byWriter.length > 0 ? (
        <ul className={styles.covers}>
          {byWriter.slice(0, MAX_COVERS).map(({ id, title, cover }) => (
            <li key={id}>
              <a href={toStoryPath(id)} data-go>
                <Cover id={id} title={title} src={cover} size="small" />
                <VisuallyHidden>{title}</VisuallyHidden>
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <a className={styles.action} href={path} data-go>
        <span>
          All stories by <Bdi>{author}</Bdi>
        </span>
      </a>
    </section>
  );
}

function RoomCard({ story, quotes }: StoryEndProps) {
  return (
    <section className={styles.card} aria-labelledby="in-the-room">
      <h2 id="in-the-room">In the room</h2>
      <p>{describeQuotes(quotes)}</p>
      <a
        className={button.button}
        data-variant="quiet"
        href={toRoomPath(toStoryPath(story.id))}
        data-room
      >
        Open the room
      </a>
    </section>
  );
}

function describeQuotes(count: number | null): string {
  if (count === null) return "Talk about it with other readers.";
  if (count === 0) return "Nobody has quoted this story yet.";
  return count === 1 ? "1 message quotes this story." : `${count} messages quote this story.`;
}

interface AdjacentLinkProps {
  story: AdjacentStory | null;
  rel: "prev" | "next";
  name: "Previous" | "Next";
}

function AdjacentLink({ story, rel, name }: AdjacentLinkProps) {
  if (!story) return null;
  return (
    <a href={story.path} rel={rel} data-go>
      {story.title === null ? (
        `${name} story`
      ) : (
        <>
          {name}: <Bdi>{story.title}</Bdi>
        </>
      )}
    </a>
  );
}

/** A story that the end of another one leads to. */
interface NextStory extends Pick<
  Story,
  "id" | "title" | "author" | "description" | "cover" | "tags" | "language"
> {
  minutes: number;
  /** Whether it is by the same writer. */
  isSameWriter: boolean;
}

type StoryRef = Pick<Story, "id" | "uid">;

/**
 * Returns the story to read after another, without a request: from the built-in stories and the list of published ones that
 * this isolate has. Prefers the same writer. `null` if there is no other story that is not hidden.
 */
export function findNextStory(
  context: AppLoadContext,
  story: StoryRef,
  findHiding: FindHiding,
): NextStory | null {
  const listed = getPublishedStories(context).getCachedList();
  const index = listed.findIndex(({ id }) => id === story.id);
  // The list begins with the newest.
  const others = index < 0 ? listed : [...listed.slice(index + 1), ...listed.slice(0, index)];
  const older = others.filter((other) => !findHiding(other));
  const adjacent = getLocalAdjacent(story.id, "next", findHiding);
  const next =
    older.find(({ uid }) => uid === story.uid) ??
    (adjacent.status === "found" ? findBuiltIn(adjacent.story.id) : undefined) ??
    older[0] ??
    builtInStories.find((other) => other.id !== story.id && !findHiding(other));
  return next ? toNext(next, story) : null;
}

/** Returns the other stories of a story's writer that are not hidden, and that this isolate has read recently. */
export function listByWriter(
  context: AppLoadContext,
  story: StoryRef,
  findHiding: FindHiding,
): NextStory[] {
  const all = [...builtInStories, ...getPublishedStories(context).getCachedList()];
  return all
    .filter(({ id, uid }) => id !== story.id && uid === story.uid)
    .filter((other) => !findHiding(other))
    .map((other) => toNext(other, story));
}

function toNext(other: PublishedStory | BuiltInStory, { uid }: StoryRef): NextStory {
  return {
    ...other,
    minutes: getReadingMinutes(other.words),
    isSameWriter: other.uid === uid,
  };
}
