import { NEW_PICTURE_PATH } from "#app/pictures/new-picture-path.ts";
import { Button } from "#app/ui/button.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { IMPORT_FIELD, IMPORT_TYPES } from "#app/writing/import/import-limits.ts";
import styles from "./import-field.module.css";

/** The file field of the editor's form, for browsers without scripts, and a link to the page that uploads pictures. */
export function ImportField({ canUpload }: { canUpload: boolean }) {
  return (
    <div className={styles.field}>
      <FileField
        label="Import a text"
        description="A Word document (.docx), Markdown, plain text, or a work saved from AO3 or Wattpad (.html), up to 5 MB. It becomes a draft of its own."
        name={IMPORT_FIELD}
        accept={IMPORT_TYPES}
      />
      <Button type="submit" variant="quiet" name="intent" value="import">
        Import
      </Button>
      {canUpload ? (
        <p>
          Save your draft first, then <Link to={NEW_PICTURE_PATH}>upload a picture for it</Link>.
        </p>
      ) : null}
    </div>
  );
}

/** Says that a file was imported, and what was not kept of it. */
export function ImportNotice({ notKept }: { notKept: string[] }) {
  const hint =
    notKept.length > 0 ? (
      <ul>
        {notKept.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    ) : undefined;
  return (
    <MessageBanner
      isDismissable
      severity={notKept.length > 0 ? "warn" : "success"}
      className={styles.notice}
      hint={hint}
    >
      {notKept.length > 0 ? "Imported, but not all of it could be kept." : "Imported."}
    </MessageBanner>
  );
}
