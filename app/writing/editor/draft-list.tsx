import { Form, Link, useSearchParams } from "@remix-run/react";
import { useMemo } from "react";

import { formatDateTime, type Locale } from "#app/site/locale/locale.ts";
import { countWords } from "#app/stories/words.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import type { SavedDraft } from "#app/writing/autosave/state.ts";
import type { DraftHead } from "#app/writing/draft.ts";
import type { DraftsPanel } from "#app/writing/editor-data.ts";
import { OLDER_PARAM, toCreatePath } from "#app/writing/side-tabs.ts";
import styles from "./panel-list.module.css";

/** The latest save of the draft in the editor. */
export interface EditorSave extends SavedDraft {
  id: string;
}

export interface DraftListProps {
  sidePanel: DraftsPanel;
  /** The draft in the editor. */
  openId: string | null;
  /** Whether the URL opens a new story. */
  isNew: boolean;
  /** The editor's latest save, which may be newer than the list. */
  saved: EditorSave | null;
  locale: Locale;
  now: number;
}

/** Lists the drafts of the user, 200 at a time. */
export function DraftList({ sidePanel, openId, isNew, saved, locale, now }: DraftListProps) {
  const { drafts, older } = sidePanel;
  const [query] = useSearchParams();
  const isOlder = query.has(OLDER_PARAM);
  const newest = toCreatePath(openId, "drafts", isNew);
  // Counting the words of a long text takes too long for every render.
  const shownDrafts = useMemo(
    () => drafts && withSaved(drafts, saved, isOlder ? null : openId),
    [drafts, saved, openId, isOlder],
  );
  return (
    <section className={styles.section} aria-labelledby="drafts">
      <h2 id="drafts">
        {/* The selected tab shows nearly the same text. */}
        <VisuallyHidden>Your drafts</VisuallyHidden>
      </h2>
      {drafts === null ? (
        <p>We can't load your drafts right now. Nothing was lost; try again in a moment.</p>
      ) : null}
      {shownDrafts?.length === 0 && !isOlder && older === null ? (
        <p>Nothing here yet. Start with a first line.</p>
      ) : null}
      <ul className={styles.list}>
        {shownDrafts?.toSorted(compareLastChanges).map((draft) => (
          <li key={draft.id} className={styles.item}>
            <div>
              <Link
                to={`/create?draft=${draft.id}`}
                className={styles.title}
                aria-current={draft.id === openId ? "true" : undefined}
              >
                <Bdi>{draft.title || "Untitled"}</Bdi>
              </Link>
              <p className={styles.meta}>
                {draft.words.toLocaleString("en")} {draft.words === 1 ? "word" : "words"} ·{" "}
                {draft.id === openId ? "open now" : formatDateTime(draft.updatedAt, locale, now)}
                {describePublication(draft)}
              </p>
            </div>
            {draft.publishedRevision === null ? <TrashForm draft={draft} /> : null}
          </li>
        ))}
      </ul>
      {isOlder ? (
        <ButtonLink to={`${newest}#drafts`} variant="quiet" className={styles.new}>
          Newest drafts
        </ButtonLink>
      ) : null}
      {older === null ? null : (
        <ButtonLink
          // Each page has a new link, so that the heading gets the focus of the pressed one.
          key={older}
          to={`${newest}&${OLDER_PARAM}=${older}#drafts`}
          variant="quiet"
          className={styles.new}
        >
          Older drafts
        </ButtonLink>
      )}
      <ButtonLink to={toCreatePath(null, null, true)} variant="quiet" className={styles.new}>
        New story
      </ButtonLink>
    </section>
  );
}

function describePublication({ revision, publishedRevision }: DraftHead): string {
  if (publishedRevision === null) return "";
  return publishedRevision === revision
    ? " · Published"
    : " · Published, with changes not yet published";
}

/** Returns the list with the editor's latest save, which may be newer than the list. */
function withSaved(drafts: DraftHead[], saved: EditorSave | null, openId: string | null) {
  if (!saved) return drafts;
  const isListed = drafts.some(({ id }) => id === saved.id);
  if (isListed)
    return drafts.map((draft) => (draft.id === saved.id ? update(draft, saved) : draft));
  return saved.id === openId ? [...drafts, update(UNLISTED, saved)] : drafts;
}

/** A draft that was saved for the first time after the page was loaded. */
const UNLISTED: DraftHead = {
  id: "",
  title: "",
  description: "",
  tags: [],
  cover: null,
  words: 0,
  revision: 0,
  createdAt: 0,
  updatedAt: 0,
  storyId: null,
  publishedRevision: null,
  publishedAt: null,
  deletedAt: null,
};

function update(draft: DraftHead, { fields, savedAt, ...saved }: EditorSave): DraftHead {
  if (saved.revision <= draft.revision) return draft;
  const { title, text } = fields;
  return { ...draft, ...saved, title, words: countWords(text), updatedAt: savedAt };
}

function compareLastChanges(one: DraftHead, other: DraftHead): number {
  return other.updatedAt - one.updatedAt;
}

/** Asks before it deletes, even without scripts. */
function TrashForm({ draft: { id, revision, title } }: { draft: DraftHead }) {
  const name = title || "Untitled";
  return (
    <details className={styles.trash}>
      <summary aria-label={`Delete ${name}`}>Delete</summary>
      {/* Posts to the URL of the page, which contains the id of the open draft. */}
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="revision" value={revision} />
        <Button type="submit" variant="danger" name="intent" value="trash">
          Yes, delete it
        </Button>
      </Form>
    </details>
  );
}
