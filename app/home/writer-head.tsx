import { LibraryForm } from "#app/stories/library/library-form.tsx";
import type { SearchPage } from "#app/stories/search.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { HideForm } from "./filters.tsx";
import styles from "./writer-head.module.css";

/** A writer as their page shows them. */
export interface WriterView {
  uid: string;
  /** `null` for a writer without stories, or whose stories could not be loaded. */
  name: string | null;
  /** May be empty. */
  about: string;
  photoURL: string | null;
  isFollowed: boolean;
  isHidden: boolean;
}

export interface WriterHeadProps {
  writer: WriterView;
  page: SearchPage;
  /** Whether it is the user's own page. */
  isOwn: boolean;
}

/** The head of a writer's page: photo, name, what they say about themselves, and the button to follow them. */
export function WriterHead({ writer, page, isOwn }: WriterHeadProps) {
  const { name, about, photoURL } = writer;
  if (name === null) {
    return (
      <header className={styles.head}>
        <h1 className={styles.name}>
          {page.isPartial ? "We can't load this writer right now." : "We can't find this writer."}
        </h1>
      </header>
    );
  }
  const facts = toFacts(page);
  return (
    <header className={styles.head}>
      {photoURL === null ? null : (
        <span className={styles.photo}>
          <Avatar src={photoURL} size="large" />
        </span>
      )}
      <div className={styles.words}>
        <h1 className={styles.name} dir="auto">
          {name}
        </h1>
        {about ? (
          <p className={styles.about} dir="auto">
            {about}
          </p>
        ) : null}
        {facts === null ? null : <p className={styles.facts}>{facts}</p>}
      </div>
      {isOwn ? (
        <ButtonLink to="/profile" variant="quiet">
          Edit on your profile
        </ButtonLink>
      ) : (
        <>
          <FollowButton uid={writer.uid} name={name} isFollowed={writer.isFollowed} />
          <HideForm kind="writer" id={writer.uid} isHidden={writer.isHidden} />
        </>
      )}
    </header>
  );
}

/** A later page does not know the stories before it. Neither does its head in the browser, where the list shows all. */
function toFacts({ results, next, after }: SearchPage): string | null {
  const count = results.length;
  if (after !== null || count === 0) return null;
  const stories = `${count} ${count === 1 ? "story" : "stories"}`;
  if (next !== null) return `More than ${stories}`;
  const minutes = results.reduce((sum, story) => sum + (story.minutes ?? 0), 0);
  return `${stories}, ${minutes} min in total`;
}

interface FollowButtonProps {
  uid: string;
  name: string;
  isFollowed: boolean;
}

/** Follows a writer, or stops following them. */
function FollowButton({ uid, name, isFollowed }: FollowButtonProps) {
  return (
    <LibraryForm
      action="/following"
      field={["writer", uid]}
      intents={["follow", "unfollow"]}
      isOn={isFollowed}
      messageClassName={styles.message}
    >
      {(isOn, button) => (
        // Not `aria-pressed` too, because the name already says it.
        <Button
          {...button}
          className={styles.follow}
          aria-pressed={undefined}
          aria-label={isOn ? `Following ${name}` : `Follow ${name}`}
          data-on={isOn || undefined}
        >
          {isOn ? "Following" : "Follow"}
        </Button>
      )}
    </LibraryForm>
  );
}
