import button from "#app/ui/button.module.css";
import { CardSection } from "#app/ui/card-section.tsx";
import { DATA_PATH, toFilePath } from "./data-path.ts";
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
        reading positions, saved stories, the writers you follow and the people you've hidden: as
        Markdown and JSON in one ZIP file.
      </p>
      {files > 1 ? <Files count={files} /> : <FileLink href={DATA_PATH}>Download</FileLink>}
    </CardSection>
  );
}

function Files({ count }: { count: number }) {
  return (
    <>
      <p>You have more drafts than fit into one file. Download each of these:</p>
      <ul className={styles.files}>
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>
            <FileLink href={toFilePath(index + 1, count)}>
              {index === 0 ? "Everything but drafts" : `Drafts ${index} of ${count - 1}`}
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
