import { Form, useNavigation } from "@remix-run/react";
import { useState, type ReactNode } from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import type { FormError } from "#app/http/form.ts";
import type { ReturnTo } from "#app/session/return-to.ts";
import type { User } from "#app/session/user.ts";
import { AUTO_FOCUS } from "#app/site/form-error-banner.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { LinkTabs } from "#app/ui/link-tabs.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { Answers } from "./answers.tsx";
import { DownloadData, ImportData } from "./data/data.tsx";
import {
  ProfileContext,
  ProfileForm,
  SectionFlash,
  useProfileForm,
  type ProfileContextValue,
} from "./form-section.tsx";
import { HiddenItems, HiddenPeople } from "./hidden.tsx";
import { AboutForm, NameForm } from "./public-profile.tsx";
import { OwnStories } from "./own-stories.tsx";
import styles from "./profile-screen.module.css";
import {
  PROFILE_TABS,
  toTabPath,
  type ProfileActionResult,
  type ProfileView,
} from "./profile-view.ts";
import { Reports } from "./reports/reports.tsx";
import { Security } from "./security.tsx";
import { UnseenMode } from "./unseen-mode.tsx";

export type ProfileScreenProps = ProfileView & {
  /** The message to show in a section, or `null`. */
  flash: ProfileContextValue["flash"];
  result: ProfileActionResult | undefined;
  /** The error of linking Google in the page's own window. */
  googleError: FormError | undefined;
};

const TABS = PROFILE_TABS.map(({ id, label }) => ({ id, label, to: toTabPath(id) }));
const TABS_OF_OTHERS = TABS.filter(({ id }) => id !== "reports");

/** The profile: the user's details, and the tabs with forms to change them. */
export function ProfileScreen(props: ProfileScreenProps) {
  const { user, tab, security, isOperator, openReports, returnTo, flash, result } = props;
  const { answerCount } = useRoomDock();
  const newCount = props.tab === "answers" ? props.answers?.newCount : undefined;
  return (
    <ProfileContext.Provider value={{ uid: user.uid, tab, flash, result }}>
      <ProfileCard user={user} isWide={tab === "reports"}>
        <ContinueLink returnTo={returnTo} />
        {security && !security.isEmailConfirmed ? <ConfirmEmail /> : null}
        <div className={styles.tabs}>
          <LinkTabs
            label="Profile sections"
            tabs={isOperator ? TABS : TABS_OF_OTHERS}
            current={tab}
            counts={{ answers: newCount ?? answerCount, reports: openReports }}
            isStretched
          />
          <OpenTab {...props} />
        </div>
      </ProfileCard>
    </ProfileContext.Provider>
  );
}

/** What is below the tabs. */
function OpenTab(props: ProfileScreenProps) {
  const { user, canUpload, security, googleError } = props;
  switch (props.tab) {
    case "name": {
      const { about, unsaved } = props;
      return (
        <>
          <NameForm
            user={user}
            canUpload={canUpload}
            submitted={unsaved && "displayName" in unsaved ? unsaved : null}
          />
          <AboutForm
            uid={user.uid}
            about={about}
            submitted={unsaved && "about" in unsaved ? unsaved : null}
          />
        </>
      );
    }
    case "answers":
      return <Answers answers={props.answers} uid={user.uid} />;
    case "stories":
      return <OwnStories stories={props.stories} uid={user.uid} />;
    case "security":
      return <Security user={user} security={security} googleError={googleError} />;
    case "data":
      return (
        <>
          <DownloadData files={props.files} />
          <ImportData />
          <UnseenMode isUnseen={props.isUnseen} isUncounted={props.isUncounted} />
        </>
      );
    case "hidden":
      return (
        <>
          <HiddenPeople people={props.hidden} />
          <HiddenItems items={props.hiddenItems} />
        </>
      );
    case "reports":
      return <Reports reports={props.reports} canUpload={canUpload} />;
  }
}

/**
 * The link to the page that required sign-in. The server sends its address once; the link stays until the user leaves
 * the page.
 */
function ContinueLink({ returnTo }: { returnTo: ReturnTo | null }) {
  const [initial] = useState(returnTo);
  if (!initial?.label) return null;
  return (
    <Link to={initial.path} variant="standalone">
      Continue to {initial.label}
    </Link>
  );
}

/** Asks the user to confirm their e-mail address, and sends another link. No feature requires a confirmed address. */
function ConfirmEmail() {
  const { isPending, result } = useProfileForm("send-confirmation");
  const banner = isPending ? undefined : result?.banner;
  return (
    <section className={styles.section} aria-labelledby="confirm-title">
      <div className={styles.text}>
        <h2 className={styles.heading} id="confirm-title" {...(banner ? AUTO_FOCUS : {})}>
          Confirm your e-mail
        </h2>
        <p>Open the link we e-mailed you, so that you can recover your account.</p>
      </div>
      <ProfileForm form="send-confirmation" action="/profile">
        <Button className={styles.button} type="submit" variant="quiet" isPending={isPending}>
          Send again
        </Button>
        <StillTrying isPending={isPending} />
      </ProfileForm>
      <SectionFlash section="send-confirmation" isPending={isPending} />
      {banner ? (
        <MessageBanner className={styles.error} severity="warn" hint={banner.hint}>
          {banner.message}
        </MessageBanner>
      ) : null}
    </section>
  );
}

export interface ProfileCardProps {
  user: User;
  /** Whether the sections have two columns. @default false */
  isWide?: boolean;
  /** The sections below the user's details. */
  children?: ReactNode;
}

/** The signed-in user's details, and the button to sign out. */
export function ProfileCard({ user, isWide = false, children }: ProfileCardProps) {
  const isSigningOut = useNavigation().formAction === "/logout";

  return (
    <section
      className={styles.card}
      data-wide={isWide || undefined}
      aria-labelledby="profile-title"
    >
      <h1 className={styles.title} id="profile-title">
        <VisuallyHidden>Profile</VisuallyHidden>
      </h1>
      <div className={styles.user}>
        <Avatar src={user.photoURL} size="large" alt="Your photo" />
        {user.photoURL ? null : (
          <Link className={styles.noPhoto} to="/profile?tab=name#photo-address">
            Add a photo
          </Link>
        )}
        <dl className={styles.facts}>
          <dt>
            <VisuallyHidden>Name</VisuallyHidden>
          </dt>
          <dd className={styles.name} data-empty={user.displayName ? undefined : true}>
            {user.displayName ? (
              <Bdi>{user.displayName}</Bdi>
            ) : (
              <>
                Not set <Link to="/profile?tab=name#display-name">Add a name</Link>
              </>
            )}
          </dd>
          <dt>
            <VisuallyHidden>E-mail</VisuallyHidden>
          </dt>
          <dd>{user.email}</dd>
        </dl>
        <Form method="post" action="/logout" className={styles.signOut}>
          <Button type="submit" variant="quiet" isPending={isSigningOut}>
            LogOut
          </Button>
        </Form>
      </div>
      {children}
    </section>
  );
}
