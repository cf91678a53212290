import { Link } from "@remix-run/react";

import { ButtonLink } from "#app/ui/button-link.tsx";
import type { DraftHead } from "#app/writing/draft.ts";
import type { DeskView, OpenDraft } from "#app/writing/editor-data.ts";
import styles from "./draft-bar.module.css";

/** How many drafts are named beside the last one. */
const MAX_RECENT = 3;

export interface DraftBarProps {
  desk: DeskView;
  /** The one in the editor. */
  draft: OpenDraft;
}

/** Stands above the editor: a new page offers the draft that was changed last, an open one a new story. */
export function DraftBar({ desk, draft }: DraftBarProps) {
  const { papers, isUnreachable } = desk;
  const [last, ...others] = papers.kind === "drafts" ? (papers.drafts ?? []) : [];
  const isOpen = draft.revision > 0 || isUnreachable;
  if (!isOpen && !last) return null;
  const all = isOpen ? `/create?draft=${draft.id}#papers` : "#papers";
  return (
    <nav className={styles.bar} aria-label="Drafts">
      {isOpen || !last ? (
        <ButtonLink to="/create" variant="quiet">
          New story
        </ButtonLink>
      ) : (
        <>
          <ButtonLink to={toAddress(last)} className={styles.last}>
            <span className={styles.title}>Continue “{toTitle(last)}”</span>
          </ButtonLink>
          {others.slice(0, MAX_RECENT).map((other) => (
            <Link key={other.id} to={toAddress(other)} className={styles.recent}>
              {toTitle(other)}
            </Link>
          ))}
        </>
      )}
      <Link to={all} className={styles.all} preventScrollReset>
        All drafts
      </Link>
    </nav>
  );
}

function toAddress({ id }: DraftHead): string {
  return `/create?draft=${id}`;
}

function toTitle({ title }: DraftHead): string {
  return title || "Untitled";
}
