import button from "#app/ui/button.module.css";
import { CardSection } from "#app/ui/card-section.tsx";
import styles from "./unseen-mode.module.css";

/** A link to a file with everything that the user has stored. */
export function DownloadData() {
  return (
    <CardSection id="download-heading" heading="Download your data">
      <p>
        Your drafts with their versions, your stories, your messages in the room, your reading
        positions and the people you've hidden, as one JSON file.
      </p>
      <div className={styles.form}>
        {/* Without `download`, which would also save the Sign In page when the session has ended. */}
        <a className={button.button} data-variant="primary" href="/profile/data">
          Download
        </a>
      </div>
    </CardSection>
  );
}
