import { Form, Link } from "@remix-run/react";

import { formatDateTime, type Locale } from "#app/site/locale/locale.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { LinkTabs } from "#app/ui/link-tabs.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { MAX_LISTED_VERSIONS, type DraftContent } from "#app/writing/draft.ts";
import type {
  OpenDraft,
  VersionsPanel,
  VersionView,
  Comparison,
  Passage,
  Piece,
} from "#app/writing/editor-data.ts";
import styles from "#app/writing/editor/panel-list.module.css";
import changeStyles from "./version-changes.module.css";

const REASONS: Record<VersionView["reason"], string> = {
  published: "Published",
  hour: "After an hour of writing",
  replaced: "Before restoring another version",
  conflict: "Not chosen in a conflict",
};

export interface VersionListProps {
  draft: OpenDraft;
  sidePanel: VersionsPanel;
  locale: Locale;
  now: number;
}

/** Lists the earlier versions of the draft, which can be read, compared and restored. */
export function VersionList({ draft, sidePanel, locale, now }: VersionListProps) {
  const { versions, version: shown, changes } = sidePanel;
  return (
    <section className={styles.section} aria-labelledby="versions">
      <h2 id="versions">
        {/* The selected tab shows the same text. */}
        <VisuallyHidden>Earlier versions</VisuallyHidden>
      </h2>
      {versions === null ? <p>We can't load earlier versions right now.</p> : null}
      {versions?.length === 0 ? (
        <p>
          None yet. A version is saved each time you publish, after each hour of work, and when you
          choose between two texts.
        </p>
      ) : null}
      <ul className={styles.list}>
        {versions?.map(({ id, title, words, reason, createdAt }) => (
          <li key={id} className={styles.item}>
            <div>
              <Link
                to={toVersion(draft, id)}
                className={styles.title}
                aria-current={id === shown?.id ? "true" : undefined}
              >
                {formatDateTime(createdAt, locale, now)}
              </Link>
              <p className={styles.meta}>
                {REASONS[reason]} · <Bdi>{title || "Untitled"}</Bdi> · {words.toLocaleString("en")}{" "}
                {words === 1 ? "word" : "words"}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {versions?.length === MAX_LISTED_VERSIONS ? (
        <p>
          These are the newest {MAX_LISTED_VERSIONS}. Your data, which you can download, has all of
          them.
        </p>
      ) : null}
      {shown ? (
        <ShownVersion draft={draft} version={shown} changes={changes} locale={locale} now={now} />
      ) : null}
    </section>
  );
}

interface ShownVersionProps extends Pick<VersionListProps, "draft" | "locale" | "now"> {
  version: NonNullable<VersionsPanel["version"]>;
  changes: VersionsPanel["changes"];
}

/** Shows one version, or the changes since then. Each view has its own URL. */
function ShownVersion({ draft, version, changes, locale, now }: ShownVersionProps) {
  const { id, title, text } = version;
  return (
    <div id="version" className={styles.version}>
      <h3 dir="auto">{title || "Untitled"}</h3>
      {version.isDamaged ? <p>Part of this version's text is missing. The rest is below.</p> : null}
      <LinkTabs
        label="This version"
        current={changes ? "changes" : "text"}
        tabs={[
          { id: "text", label: "Text", to: toVersion(draft, id) },
          { id: "changes", label: "Changes", to: toVersion(draft, id, "&view=changes") },
        ]}
      />
      {changes ? (
        <VersionChanges
          changes={changes}
          version={version}
          draft={draft}
          locale={locale}
          now={now}
        />
      ) : (
        <textarea
          className={styles.text}
          dir="auto"
          aria-label="Version text"
          rows={8}
          readOnly
          value={text}
        />
      )}
      <Form method="post" action={`/create?draft=${draft.id}`}>
        <input type="hidden" name="id" value={draft.id} />
        <input type="hidden" name="revision" value={draft.revision} />
        <input type="hidden" name="version" value={id} />
        <Button type="submit" variant="quiet" name="intent" value="restore-version">
          Restore this version
        </Button>
      </Form>
    </div>
  );
}

function toVersion(draft: OpenDraft, id: string, view = ""): string {
  return `/create?draft=${draft.id}&version=${id}${view}#version`;
}

interface VersionChangesProps {
  changes: Comparison;
  version: DraftContent;
  draft: OpenDraft;
  locale: Locale;
  now: number;
}

/** Shows the changes between a version and the last save of the draft, without the unchanged parts. */
function VersionChanges({ changes, version, draft, locale, now }: VersionChangesProps) {
  const { fields, text, isSpacingOnly } = changes;
  const isSame = fields.length === 0 && text?.length === 0;
  const saved =
    draft.updatedAt === null ? "" : ` (${formatDateTime(draft.updatedAt, locale, now)})`;
  return (
    <div className={changeStyles.changes}>
      <p className={changeStyles.note}>
        Changes from this version to your last saved draft{saved}.
      </p>
      {isSame ? <p>{isSpacingOnly ? SAME_WORDS : "Nothing has changed."}</p> : <Legend />}
      {fields.length > 0 ? (
        <dl className={changeStyles.fields}>
          {fields.map(({ name, pieces }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">
                <Pieces pieces={pieces} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {text === null ? <BothTexts version={version} draft={draft} /> : null}
      {text?.map((passage, index) => (
        <ShownPassage key={index} passage={passage} />
      ))}
    </div>
  );
}

const SAME_WORDS = "The words are the same. Only spaces or line breaks have changed.";

function Legend() {
  return (
    <p className={changeStyles.note}>
      <del className={changeStyles.removed}>Struck-out words</del> were removed,{" "}
      <ins className={changeStyles.added}>underlined words</ins> were added.
    </p>
  );
}

function ShownPassage({ passage }: { passage: Passage }) {
  if ("pieces" in passage) {
    return (
      <p className={changeStyles.passage} dir="auto">
        <Pieces pieces={passage.pieces} />
      </p>
    );
  }
  const { unchangedWords } = passage;
  return (
    <p className={changeStyles.unchanged}>
      {unchangedWords.toLocaleString("en")} {unchangedWords === 1 ? "word" : "words"} unchanged
    </p>
  );
}

function Pieces({ pieces }: { pieces: Piece[] }) {
  // The pieces have no ids, and their order never changes.
  return pieces.map((piece, index) => <ShownPiece key={index} {...piece} />);
}

/** Adds hidden words, because not every screen reader announces `<del>` and `<ins>`. */
function ShownPiece({ kind, text }: Piece) {
  if (kind === "unchanged") return text;
  const Mark = kind === "added" ? "ins" : "del";
  const words = text.trimStart();
  return (
    <>
      {text.slice(0, text.length - words.length)}
      <Mark className={styles[kind]}>
        <VisuallyHidden dir="ltr">{kind}: </VisuallyHidden>
        {words}
        <VisuallyHidden dir="ltr"> (end)</VisuallyHidden>
      </Mark>
    </>
  );
}

/** Shows both texts when too much has changed for a comparison. */
function BothTexts({ version, draft }: { version: DraftContent; draft: OpenDraft }) {
  return (
    <>
      <p>Too much has changed to compare word by word. Here are both texts.</p>
      <div className={changeStyles.both}>
        <label>
          This version
          <textarea
            className={changeStyles.text}
            dir="auto"
            rows={12}
            readOnly
            value={version.text}
          />
        </label>
        <label>
          Your draft
          <textarea
            className={changeStyles.text}
            dir="auto"
            rows={12}
            readOnly
            value={draft.text}
          />
        </label>
      </div>
    </>
  );
}
