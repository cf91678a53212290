import { Form, Link } from "@remix-run/react";
import { useMemo } from "react";

import { formatStamp } from "#app/site/locale/format-time.ts";
import type { Clock } from "#app/site/locale/locale.ts";
import { countWords } from "#app/stories/words.ts";
import { Button } from "#app/ui/button.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import type { SavedDraft } from "#app/writing/autosave/autosaved-draft.ts";
import type { DraftHead } from "#app/writing/draft.ts";
import styles from "./side-panel.module.css";

/** A save of the draft in the editor. */
export interface OpenSave extends SavedDraft {
  id: string;
}

export interface DraftListProps {
  /** Last changed first; `null` when they could not be read. */
  drafts: DraftHead[] | null;
  /** The one in the editor. */
  openId: string | null;
  /** What was saved since, and may be later than the list. */
  saved: OpenSave | null;
  clock: Clock;
  now: number;
}

/** Everything that somebody has begun. Drafts never expire. */
export function DraftList({ drafts, openId, saved, clock, now }: DraftListProps) {
  // The words of a long text are not counted again at every render.
  const list = useMemo(
    () => drafts?.map((draft) => (draft.id === saved?.id ? update(draft, saved) : draft)),
    [drafts, saved],
  );
  return (
    <section className={styles.section} aria-labelledby="drafts">
      {/* Beside an open draft the tab says it to whoever sees it. */}
      <h2 id="drafts">{openId ? <VisuallyHidden>Your drafts</VisuallyHidden> : "Your drafts"}</h2>
      {drafts === null ? (
        <p>We can't load your drafts right now. Nothing was lost; try again in a moment.</p>
      ) : null}
      {drafts?.length === 0 ? <p>Nothing here yet. Start with a first line.</p> : null}
      <ul className={styles.list}>
        {list?.toSorted(byLastChange).map((draft) => (
          <li key={draft.id} className={styles.item}>
            <div>
              <Link
                to={`/create?draft=${draft.id}`}
                className={styles.name}
                aria-current={draft.id === openId ? "true" : undefined}
              >
                {draft.title || "Untitled"}
              </Link>
              <p className={styles.meta}>
                {draft.words.toLocaleString("en")} {draft.words === 1 ? "word" : "words"} ·{" "}
                {formatStamp(draft.updatedAt, clock, now)}
                {draft.publishedRevision === null ? "" : " · Published"}
              </p>
            </div>
            {draft.publishedRevision === null ? <Removal draft={draft} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function update(draft: DraftHead, { fields, at, ...saved }: OpenSave): DraftHead {
  if (saved.revision <= draft.revision) return draft;
  const { title, text } = fields;
  return { ...draft, ...saved, title, words: countWords(text), updatedAt: at };
}

function byLastChange(one: DraftHead, other: DraftHead): number {
  return other.updatedAt - one.updatedAt;
}

/** Asks before it deletes, also without scripts. */
function Removal({ draft: { id, revision, title } }: { draft: DraftHead }) {
  const name = title || "Untitled";
  return (
    <details className={styles.removal}>
      <summary aria-label={`Delete ${name}`}>Delete</summary>
      <Form method="post" action="/create">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="revision" value={revision} />
        <Button type="submit" variant="danger" name="intent" value="remove">
          Yes, delete it
        </Button>
      </Form>
    </details>
  );
}
