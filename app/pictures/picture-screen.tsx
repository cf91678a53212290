import type { FormError } from "#app/http/form.ts";
import { PICTURE_TYPES } from "#app/http/picture-path.ts";
import { MessagePage } from "#app/site/message-page.tsx";
import { Button } from "#app/ui/button.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import input from "#app/ui/text-input.module.css";
import { NEW_PICTURE_PATH } from "./new-picture-path.ts";

export interface PictureScreenProps {
  /** The path of the picture that was just uploaded, or `null`. */
  added: string | null;
  canUpload: boolean;
  /** Why the last one was not stored. */
  error: FormError | undefined;
}

/** Uploads a picture without scripts, and says how to put it into a story. */
export function PictureScreen({ added, canUpload, error }: PictureScreenProps) {
  return (
    <MessagePage
      title={added ? "Your picture is stored" : "Pictures"}
      actions={
        <>
          {canUpload ? (
            <Button type="submit" form="picture">
              Upload
            </Button>
          ) : null}
          <Link to="/create" variant="standalone">
            Back to your story
          </Link>
        </>
      }
    >
      {error ? (
        <MessageBanner severity="error" hint={error.hint}>
          {error.message}
        </MessageBanner>
      ) : null}
      {added ? (
        <>
          <img src={added} alt="What you uploaded" />
          <label htmlFor="markdown">
            Copy this line into your story. Between the brackets, describe the picture for readers
            who can't see it.
          </label>
          <input id="markdown" className={input.input} readOnly dir="ltr" value={`![](${added})`} />
        </>
      ) : null}
      {canUpload ? (
        // Not Remix's: the action returns here only without scripts.
        <form id="picture" method="post" action={NEW_PICTURE_PATH} encType="multipart/form-data">
          <FileField
            label={added ? "Another picture" : "Picture"}
            name="picture"
            accept={PICTURE_TYPES}
            required
            description="PNG, JPEG, WebP or AVIF, up to 5 MB. What it says about where and how it was taken is removed."
          />
        </form>
      ) : (
        <p>This site doesn't store pictures. In a story, use the address of one on the web.</p>
      )}
    </MessagePage>
  );
}
