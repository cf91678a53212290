import type { FormError } from "#app/accounts/form-error.ts";
import type { Wish } from "#app/session/return-to.ts";
import type { User } from "#app/session/user.ts";
import { LinkTabs } from "#app/ui/link-tabs.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { WayOn } from "./continue-link.tsx";
import { NameForm } from "./name-form.tsx";
import { ProfileCard } from "./profile-card.tsx";
import type { UnsavedProfile } from "./profile-schema.ts";
import styles from "./profile-screen.module.css";
import {
  PROFILE_TABS,
  type ProfileRefusal,
  type ProfileTab,
  type SecurityView,
} from "./profile-view.ts";
import { Security } from "./security.tsx";

export interface ProfileScreenProps {
  account: User;
  tab: ProfileTab;
  /** `null` while the provider cannot be reached. */
  security: SecurityView | null;
  /** What was sent after the session had ended. */
  unsaved: UnsavedProfile | null;
  refusal: ProfileRefusal | undefined;
  /** Why linking Google was refused, where the whole page went there. */
  linkRefusal: FormError | undefined;
  /** Where Sign In came in between. */
  wish: Wish | null;
}

const TABS = PROFILE_TABS.map(({ id, label }) => ({ id, label, to: `/profile?tab=${id}` }));

/** Who is signed in, the way out, and below what can be changed. */
export function ProfileScreen({
  account,
  tab,
  security,
  unsaved,
  refusal,
  linkRefusal,
  wish,
}: ProfileScreenProps) {
  return (
    <ProfileCard account={account}>
      <WayOn wish={wish} />
      {security && !security.isEmailConfirmed ? <ConfirmEmail refusal={refusal} /> : null}
      <div className={styles.parts}>
        <LinkTabs label="Profile sections" tabs={TABS} current={tab} />
        {tab === "name" ? (
          <NameForm account={account} sent={unsaved} refusal={refusal} />
        ) : (
          <Security
            account={account}
            security={security}
            refusal={refusal}
            linkRefusal={linkRefusal}
          />
        )}
      </div>
    </ProfileCard>
  );
}
