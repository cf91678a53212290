import { useState } from "react";

import type { User } from "#app/session/user.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { FormSection, readRefusal } from "./form-section.tsx";
import styles from "./name-form.module.css";
import type { UnsavedProfile } from "./profile-schema.ts";
import type { ProfileRefusal } from "./profile-view.ts";
import { useUnsaved } from "./use-unsaved.ts";

export interface NameFormProps {
  account: User;
  /** What was sent after the session had ended. */
  sent: UnsavedProfile | null;
  refusal: ProfileRefusal | undefined;
}

/** Name and photo, as others see them in the room. */
export function NameForm({ account, sent, refusal }: NameFormProps) {
  const { faults, typed: refused } = readRefusal(refusal, "save-profile");
  const { unsaved, leave } = useUnsaved(account, sent);
  const typed = refused ?? unsaved;
  const [address, setAddress] = useState<string>();

  return (
    <FormSection
      heading="Name and photo"
      words={<p>Shown next to your messages. Older messages don't change.</p>}
      form="save-profile"
      tab="name"
      refusal={refusal}
      button="Save"
      onLeave={leave}
    >
      {unsaved && !refused ? (
        <MessageBanner className={styles.unsaved} hint="It isn't saved yet.">
          What you typed is still here.
        </MessageBanner>
      ) : null}
      <input type="hidden" name="uid" value={account.uid} />
      <TextField
        id="display-name"
        label="Name"
        name="displayName"
        autoComplete="nickname"
        defaultValue={typed?.displayName ?? account.displayName ?? ""}
        errors={faults.displayName}
      />
      <TextField
        id="photo-address"
        label="Photo link (URL)"
        name="photoURL"
        type="url"
        autoComplete="photo"
        description="A link to a photo on the web. Leave it empty for no photo."
        defaultValue={typed?.photoURL ?? account.photoURL ?? ""}
        errors={faults.photoURL}
        onChange={(event) => setAddress(event.target.value.trim())}
      />
      {address === undefined || address === account.photoURL ? null : (
        <Preview key={address} address={address} />
      )}
    </FormSection>
  );
}

/** Shows what is at an address while it is typed. */
function Preview({ address }: { address: string }) {
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  if (!address.startsWith("https://")) return null;
  return (
    <div className={styles.preview}>
      <span
        className={styles.picture}
        data-state={state}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
      >
        <Avatar src={address} size="large" />
      </span>
      <output>{PREVIEW_WORDS[state]}</output>
    </div>
  );
}

const PREVIEW_WORDS = {
  loading: "Loading photo…",
  shown: "This is how your photo will look.",
  failed: "We can't load a photo from this link.",
};
