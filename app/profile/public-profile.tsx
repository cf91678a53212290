import { useContext, useState } from "react";

import { getText } from "#app/http/form.ts";
import { isPhotoAddress, PICTURE_TYPES } from "#app/http/picture-path.ts";
import type { User } from "#app/session/user.ts";
import { toWriterPath } from "#app/stories/book.ts";
import { MAX_ABOUT_LENGTH } from "#app/stories/writers/writer.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { FormSection, ProfileContext, UnsavedBanner, useProfileForm } from "./form-section.tsx";
import styles from "./public-profile.module.css";
import type { UnsavedAbout, UnsavedProfile } from "./profile-schema.ts";
import type { ProfileFormName } from "./profile-view.ts";

export interface NameFormProps {
  user: User;
  canUpload: boolean;
  /** What was submitted after the session had ended. */
  submitted: UnsavedProfile | null;
}

/** Name and photo, as others see them in the room. */
export function NameForm({ user, canUpload, submitted }: NameFormProps) {
  const { getErrorProps, result } = useProfileForm("save-profile");
  const rejected = result?.values;
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
    const { preparePicture } = await import("#app/pictures/upload-picture.client.ts");
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
  if (!isPhotoAddress(photoURL)) return null;
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

/** Form values by field name. */
type Values = Record<string, string>;

/** The values of each form when it was last unmounted. In memory only, so they are lost with the page. */
const unmounted = new Map<ProfileFormName, Values & { uid: string }>();

interface UnsavedOptions {
  form: ProfileFormName;
  uid: string;
  /** The saved values of the fields to keep. */
  saved: Values;
  /** What the user submitted after their session had ended. */
  submitted: Values | null;
}

/**
 * Returns what the user typed and did not save before they left the form or their session ended, and the form's
 * `onUnmount`.
 */
function useUnsaved({ form, uid, saved, submitted }: UnsavedOptions) {
  const [initial, setInitial] = useState(() => {
    const kept = unmounted.get(form);
    return (kept?.uid === uid && getUnsaved(kept, saved)) || getUnsaved(submitted, saved);
  });
  // Whatever the user has typed since is saved, too.
  const isSaved = useContext(ProfileContext).flash?.section === form;
  if (isSaved && initial) setInitial(null);

  function onUnmount(formData: FormData) {
    const values: Values = {};
    for (const name of Object.keys(saved)) values[name] = getText(formData, name);
    unmounted.set(form, { ...values, uid });
  }
  // The form may have been saved since.
  return { unsaved: getUnsaved(initial, saved), onUnmount };
}

/** Returns the values if one of them differs from the saved one. */
function getUnsaved(values: Values | null, saved: Values): Values | null {
  const isUnsaved =
    values && Object.entries(saved).some(([name, value]) => values[name]?.trim() !== value);
  return isUnsaved ? values : null;
}

interface AboutFormProps {
  uid: string;
  /** `null` when it cannot be read. */
  about: string | null;
  /** What was submitted after the session had ended. */
  submitted: UnsavedAbout | null;
}

/** The form for the line about the user, which is shown on the page with their stories. */
export function AboutForm({ uid, about, submitted }: AboutFormProps) {
  const { getErrorProps, result } = useProfileForm("save-about");
  const rejected = result?.values;
  const { unsaved, onUnmount } = useUnsaved({
    form: "save-about",
    uid,
    saved: { about: about ?? "" },
    submitted,
  });
  if (about === null) return <p>We can't load the line about you right now.</p>;
  return (
    <FormSection
      heading="About you"
      text={
        <p>
          Shown with your name and photo on <Link to={toWriterPath(uid)}>your page</Link>, which
          lists your stories.
        </p>
      }
      form="save-about"
      button="Save text"
      onUnmount={onUnmount}
    >
      {unsaved && !rejected ? <UnsavedBanner /> : null}
      <TextField
        id="about"
        label="A line about you"
        name="about"
        description={`Up to ${MAX_ABOUT_LENGTH} characters. Everyone can read it.`}
        defaultValue={rejected?.about ?? unsaved?.about ?? about}
        {...getErrorProps("about")}
      />
    </FormSection>
  );
}
