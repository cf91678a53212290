import { toWriterPath } from "#app/stories/book.ts";
import { MAX_ABOUT_LENGTH } from "#app/stories/writers/writer.ts";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { FormSection, getFormResult, UnsavedBanner } from "./form-section.tsx";
import type { UnsavedAbout } from "./profile-schema.ts";
import type { ProfileActionResult } from "./profile-view.ts";
import { useUnsaved } from "./use-unsaved.ts";

export interface AboutFormProps {
  uid: string;
  /** `null` when it cannot be read. */
  about: string | null;
  /** What was submitted after the session had ended. */
  submitted: UnsavedAbout | null;
  result: ProfileActionResult | undefined;
}

/** The form for the line about the user, which is shown on the page with their stories. */
export function AboutForm({ uid, about, submitted, result }: AboutFormProps) {
  const { getErrorProps, values: rejected } = getFormResult(result, "save-about");
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
      tab="name"
      result={result}
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
