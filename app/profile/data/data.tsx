import { StillTrying } from "#app/accounts/still-trying.tsx";
import { ProfileForm, useProfileForm } from "#app/profile/form-section.tsx";
import type { ImportReport } from "#app/profile/profile-view.ts";
import { AUTO_FOCUS, FormErrorBanner } from "#app/site/form-error-banner.tsx";
import button from "#app/ui/button.module.css";
import { Button } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { DATA_PATH, IMPORT_PATH, toFilePath } from "./data-path.ts";
import styles from "./data.module.css";

export interface DownloadDataProps {
  /** In how many files. */
  files: number;
}

/** The links to everything that the user has stored. */
export function DownloadData({ files }: DownloadDataProps) {
  return (
    <CardSection id="download-heading" heading="Download your data">
      <p>
        Your drafts with their versions, your stories, your messages and the answers to them, your
        reading positions, the stories that count you as a reader, saved stories, the writers you
        follow, your pictures, and what you've hidden: as Markdown and JSON in{" "}
        {files > 1 ? "ZIP files" : "one ZIP file"}.
      </p>
      {files > 1 ? <Files count={files} /> : <FileLink href={DATA_PATH}>Download</FileLink>}
    </CardSection>
  );
}

function Files({ count }: { count: number }) {
  return (
    <>
      <p>Your data doesn't fit into one file. Download each of these:</p>
      <ul className={styles.files}>
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>
            <FileLink href={toFilePath(index + 1, count)}>
              {index === 0
                ? "Everything but drafts and pictures"
                : `Drafts and pictures ${index} of ${count - 1}`}
            </FileLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Without `download`, which would also save the Sign In page when the session has ended. */
function FileLink({ href, children }: { href: string; children: string }) {
  return (
    <a className={`${button.button} ${styles.button}`} data-variant="primary" href={href}>
      {children}
    </a>
  );
}

/** The form that brings a downloaded file into this account. */
export function ImportData() {
  const { isPending, result } = useProfileForm("import-data");
  const { banner, report } = (isPending ? undefined : result) ?? {};
  return (
    <CardSection id="import-heading" heading="Import your data">
      <p>
        Choose a ZIP file that you downloaded here, from this or another account. Your drafts with
        their versions, pictures, reading positions, saved stories, followed writers, and what
        you've hidden come back. What you have here stays as it is, and nothing is published or
        posted.
      </p>
      <FormErrorBanner error={banner} />
      {report ? <Report report={report} /> : null}
      <ProfileForm
        form="import-data"
        action={IMPORT_PATH}
        encType="multipart/form-data"
        className={styles.form}
      >
        <FileField label="ZIP file" name="file" accept=".zip,application/zip" required />
        <Button type="submit" isPending={isPending}>
          Import
        </Button>
        <StillTrying isPending={isPending} />
      </ProfileForm>
    </CardSection>
  );
}

function Report({ report: { message, details, isUnfinished } }: { report: ImportReport }) {
  return (
    <div {...AUTO_FOCUS}>
      <MessageBanner
        severity={isUnfinished ? "warn" : "success"}
        hint={details.map((text) => (
          <p className={styles.detail} key={text}>
            {text}
          </p>
        ))}
      >
        {message}
      </MessageBanner>
    </div>
  );
}
