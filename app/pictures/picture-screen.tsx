import { PICTURE_TYPES } from "#app/http/picture-path.ts";
import { Button } from "#app/ui/button.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Link } from "#app/ui/link.tsx";
import input from "#app/ui/text-input.module.css";
import styles from "./picture-screen.module.css";

export interface PictureScreenProps {
  /** The path of the picture that was just uploaded, or `null`. */
  added: string | null;
  canUpload: boolean;
}

/** Uploads a picture without scripts, and says how to put it into a story. */
export function PictureScreen({ added, canUpload }: PictureScreenProps) {
  return (
    <div className={styles.page}>
      <h1>Pictures</h1>
      {added ? (
        <section className={styles.added} aria-labelledby="added">
          <h2 id="added">Your picture is stored</h2>
          <img className={styles.picture} src={added} alt="What you uploaded" />
          <label htmlFor="markdown">
            Copy this line into your story. Between the brackets, describe the picture for readers
            who can’t see it.
          </label>
          <input id="markdown" className={input.input} readOnly dir="ltr" value={`![](${added})`} />
        </section>
      ) : null}
      {canUpload ? (
        // Not Remix's: the action returns here only without scripts.
        <form
          method="post"
          action="/pictures"
          encType="multipart/form-data"
          className={styles.added}
        >
          <FileField
            label={added ? "Another picture" : "Picture"}
            name="picture"
            accept={PICTURE_TYPES}
            required
            description="PNG, JPEG, WebP or AVIF, up to 5 MB. What it says about where and how it was taken is removed."
          />
          <Button type="submit" className={styles.button}>
            Upload
          </Button>
        </form>
      ) : (
        <p>This site doesn’t store pictures. In a story, use the address of one on the web.</p>
      )}
      <p>
        <Link to="/create" variant="standalone">
          Back to your story
        </Link>
      </p>
    </div>
  );
}
