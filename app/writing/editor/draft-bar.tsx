import { Link } from "@remix-run/react";

import { ButtonLink } from "#app/ui/button-link.tsx";
import type { DraftHead } from "#app/writing/draft.ts";
import type { EditorData, OpenDraft } from "#app/writing/editor-data.ts";
import styles from "./draft-bar.module.css";

/** How many drafts are linked next to the last one. */
const MAX_RECENT = 3;

export interface DraftBarProps {
  editor: EditorData;
  /** The draft in the editor. */
  draft: OpenDraft;
}

/** Links above the editor: to the latest drafts while nothing is open, otherwise to a new story. */
export function DraftBar({ editor, draft }: DraftBarProps) {
  const { sidePanel, isUnavailable } = editor;
  const [last, ...others] = sidePanel.kind === "drafts" ? (sidePanel.drafts ?? []) : [];
  const isOpen = draft.revision > 0 || isUnavailable;
  if (!isOpen && !last) return null;
  const all = isOpen ? `/create?draft=${draft.id}#side-panel` : "#side-panel";
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
