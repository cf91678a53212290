import { useState } from "react";

import { PICTURE_PATH, PICTURE_TYPES } from "#app/http/picture-path.ts";
import type { User } from "#app/session/user.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { FormSection, getFormResult, UnsavedBanner } from "./form-section.tsx";
import styles from "./name-form.module.css";
import type { UnsavedProfile } from "./profile-schema.ts";
import type { ProfileActionResult } from "./profile-view.ts";
import { useUnsaved } from "./use-unsaved.ts";

export interface NameFormProps {
  user: User;
  canUpload: boolean;
  /** What was submitted after the session had ended. */
  submitted: UnsavedProfile | null;
  result: ProfileActionResult | undefined;
}

/** Name and photo, as others see them in the room. */
export function NameForm({ user, canUpload, submitted, result }: NameFormProps) {
  const { getErrorProps, values: rejected } = getFormResult(result, "save-profile");
  const { unsaved, onUnmount } = useUnsaved({
    form: "save-profile",
    uid: user.uid,
    saved: { displayName: user.displayName ?? "", photoURL: user.photoURL ?? "" },
    submitted,
  });
  const values = rejected ?? unsaved;
  const [photoURL, setPhotoURL] = useState<string>();

  return (
    <FormSection
      heading="Name and photo"
      text={<p>Shown next to your messages. Older messages don't change.</p>}
      form="save-profile"
      tab="name"
      result={result}
      button="Save"
      hasFile={canUpload}
      onUnmount={onUnmount}
    >
      {unsaved && !rejected ? <UnsavedBanner /> : null}
      <TextField
        id="display-name"
        label="Name"
        name="displayName"
        autoComplete="nickname"
        defaultValue={values?.displayName ?? user.displayName ?? ""}
        {...getErrorProps("displayName")}
      />
      {canUpload ? (
        <FileField
          label="Photo"
          name="photo"
          accept={PICTURE_TYPES}
          description="PNG, JPEG, WebP or AVIF, up to 5 MB. What it says about where and how it was taken is removed."
          onChange={({ target }) => void makeSmaller(target)}
        />
      ) : null}
      <TextField
        id="photo-address"
        label="Photo link (URL)"
        name="photoURL"
        type="url"
        autoComplete="photo"
        description={
          canUpload
            ? "Or a link to a photo on the web. Leave it empty for no photo."
            : "A link to a photo on the web. Leave it empty for no photo."
        }
        defaultValue={values?.photoURL ?? user.photoURL ?? ""}
        {...getErrorProps("photoURL")}
        onChange={(event) => setPhotoURL(event.target.value.trim())}
      />
      {photoURL === undefined || photoURL === user.photoURL ? null : (
        <Preview key={photoURL} photoURL={photoURL} />
      )}
    </FormSection>
  );
}

/** In pixels: twice the size of the largest avatar. */
const PHOTO_SIDE = 192;

/** Makes a chosen photo as small as it is shown. Until then, or if the browser can't, the form sends it as it is. */
async function makeSmaller(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0];
  if (!file) return;
  try {
    const { preparePicture } = await import("#app/pictures/prepare-picture.client.ts");
    const prepared = await preparePicture(file, PHOTO_SIDE);
    if (prepared.status === "error" || input.files?.[0] !== file) return;
    const data = new DataTransfer();
    data.items.add(new File([prepared.picture], file.name, { type: prepared.picture.type }));
    input.files = data.files;
  } catch {
    // The server says what is wrong with a photo.
  }
}

/** Shows the photo while the user types its address. */
function Preview({ photoURL }: { photoURL: string }) {
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  if (!photoURL.startsWith("https://") && !PICTURE_PATH.test(photoURL)) return null;
  return (
    <div className={styles.preview}>
      <span
        className={styles.picture}
        data-state={state}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
      >
        <Avatar src={photoURL} size="large" />
      </span>
      <output>{PREVIEW_TEXTS[state]}</output>
    </div>
  );
}

const PREVIEW_TEXTS = {
  loading: "Loading photo…",
  shown: "This is how your photo will look.",
  failed: "We can't load a photo from this link.",
};
