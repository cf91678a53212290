import { Form, Link } from "@remix-run/react";

import { Button } from "#app/components/button.tsx";
import { LinkTabs } from "#app/components/link-tabs.tsx";
import { formatStamp } from "#app/features/clock/format-time.ts";
import type { DeskView, OpenDraft, VersionView } from "./desk-view.ts";
import styles from "./papers.module.css";
import { VersionChanges } from "./version-changes.tsx";

const REASONS: Record<VersionView["reason"], string> = {
  published: "Published",
  hour: "An hour of work",
  restored: "Restored",
};

/** Earlier moments of the draft, which can be looked at, compared and brought back. */
export function VersionList({ desk }: { desk: DeskView }) {
  const { draft, versions, version: shown, clock } = desk;
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
                to={toVersion(draft, id)}
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
      {shown ? <ShownVersion desk={desk} version={shown} /> : null}
    </section>
  );
}

interface ShownVersionProps {
  desk: DeskView;
  version: NonNullable<DeskView["version"]>;
}

/** One version: as it was, or what has changed since. Each has its address. */
function ShownVersion({ desk: { draft, changes, clock }, version }: ShownVersionProps) {
  const { id, title, text } = version;
  return (
    <div id="version" className={styles.version}>
      <h3>{title || "Untitled"}</h3>
      <LinkTabs
        label="This version"
        current={changes ? "changes" : "text"}
        tabs={[
          { id: "text", label: "As it was", to: toVersion(draft, id) },
          { id: "changes", label: "What changed", to: toVersion(draft, id, "&view=changes") },
        ]}
      />
      {changes ? (
        <VersionChanges changes={changes} version={version} draft={draft} clock={clock} />
      ) : (
        <textarea className={styles.text} aria-label="The version" rows={8} readOnly value={text} />
      )}
      <Form method="post" action={`/create?draft=${draft.id}`}>
        <input type="hidden" name="id" value={draft.id} />
        <input type="hidden" name="revision" value={draft.revision} />
        <input type="hidden" name="version" value={id} />
        <Button type="submit" variant="quiet" name="intent" value="restore">
          Restore this version
        </Button>
      </Form>
    </div>
  );
}

function toVersion(draft: OpenDraft, id: string, view = ""): string {
  return `/create?draft=${draft.id}&version=${id}${view}#version`;
}
