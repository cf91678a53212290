import { Form, Link } from "@remix-run/react";

import { Button } from "#app/components/button.tsx";
import { formatStamp } from "#app/features/clock/format-time.ts";
import type { Clock } from "#app/schemas/clock.ts";
import type { DeskView, OpenDraft, VersionView } from "./desk-view.ts";
import styles from "./papers.module.css";

const REASONS: Record<VersionView["reason"], string> = {
  published: "Published",
  hour: "An hour of work",
  restored: "Restored",
};

export interface VersionListProps {
  draft: OpenDraft;
  /** Newest first; `null` when they could not be read. */
  versions: VersionView[] | null;
  /** The one that is looked at. */
  shown: DeskView["version"];
  clock: Clock;
}

/** Earlier moments of the draft, which can be looked at and brought back. */
export function VersionList({ draft, versions, shown, clock }: VersionListProps) {
  if (versions?.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="versions">
      <h2 id="versions">Earlier versions</h2>
      {versions === null ? <p>Earlier versions cannot be reached right now.</p> : null}
      <ul className={styles.list}>
        {versions?.map(({ id, title, words, reason, createdAt }) => (
          <li key={id} className={styles.item}>
            <div>
              <Link
                to={`/create?draft=${draft.id}&version=${id}#version`}
                className={styles.name}
                aria-current={id === shown?.id ? "true" : undefined}
              >
                {formatStamp(createdAt, clock)}
              </Link>
              <p className={styles.meta}>
                {REASONS[reason]} · {title || "Untitled"} · {words.toLocaleString("en")}{" "}
                {words === 1 ? "word" : "words"}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {shown ? (
        <div id="version" className={styles.version}>
          <h3>{shown.title || "Untitled"}</h3>
          <textarea
            className={styles.text}
            aria-label="The version"
            rows={8}
            readOnly
            value={shown.text}
          />
          <Form method="post" action={`/create?draft=${draft.id}`}>
            <input type="hidden" name="id" value={draft.id} />
            <input type="hidden" name="revision" value={draft.revision} />
            <input type="hidden" name="version" value={shown.id} />
            <Button type="submit" variant="quiet" name="intent" value="restore">
              Restore this version
            </Button>
          </Form>
        </div>
      ) : null}
    </section>
  );
}
