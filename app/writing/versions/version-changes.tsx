import { formatDateTime, type Locale } from "#app/site/locale/locale.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import type { DraftContent } from "#app/writing/draft.ts";
import type { OpenDraft } from "#app/writing/editor-data.ts";
import type { Comparison, Passage, Piece } from "./comparison.ts";
import styles from "./version-changes.module.css";

export interface VersionChangesProps {
  changes: Comparison;
  version: DraftContent;
  draft: OpenDraft;
  locale: Locale;
  now: number;
}

/** Shows the changes between a version and the last save of the draft, without the unchanged parts. */
export function VersionChanges({ changes, version, draft, locale, now }: VersionChangesProps) {
  const { fields, text, isSpacingOnly } = changes;
  const isSame = fields.length === 0 && text?.length === 0;
  const saved =
    draft.updatedAt === null ? "" : ` (${formatDateTime(draft.updatedAt, locale, now)})`;
  return (
    <div className={styles.changes}>
      <p className={styles.note}>Changes from this version to your last saved draft{saved}.</p>
      {isSame ? <p>{isSpacingOnly ? SAME_WORDS : "Nothing has changed."}</p> : <Legend />}
      {fields.length > 0 ? (
        <dl className={styles.fields}>
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
    <p className={styles.note}>
      <del className={styles.removed}>Struck-out words</del> were removed,{" "}
      <ins className={styles.added}>underlined words</ins> were added.
    </p>
  );
}

function ShownPassage({ passage }: { passage: Passage }) {
  if ("pieces" in passage) {
    return (
      <p className={styles.passage} dir="auto">
        <Pieces pieces={passage.pieces} />
      </p>
    );
  }
  const { unchangedWords } = passage;
  return (
    <p className={styles.unchanged}>
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
      <div className={styles.both}>
        <label>
          This version
          <textarea className={styles.text} dir="auto" rows={12} readOnly value={version.text} />
        </label>
        <label>
          Your draft
          <textarea className={styles.text} dir="auto" rows={12} readOnly value={draft.text} />
        </label>
      </div>
    </>
  );
}
