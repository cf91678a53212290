import button from "#app/ui/button.module.css";
import { CardSection } from "./card-section.tsx";
import styles from "./unseen-mode.module.css";

/** A link to a file with everything that the user has stored. */
export function DownloadData() {
  return (
    <CardSection id="download-heading" heading="Download your data">
      <p>
        Your drafts and stories with their texts, your messages in the room, your reading positions
        and the people you've hidden, as one JSON file.
      </p>
      <div className={styles.form}>
        <a className={button.button} data-variant="primary" href="/profile/data" download>
          Download
        </a>
      </div>
    </CardSection>
  );
}
