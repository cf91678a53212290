import { Form, useNavigation } from "@remix-run/react";
import { useState } from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import type { FormError } from "#app/http/form.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import type { HiddenPerson } from "#app/chat/hidden.ts";
import type { ReturnTo } from "#app/session/return-to.ts";
import type { User } from "#app/session/user.ts";
import type { HiddenItem } from "#app/stories/library/library.ts";
import type { StoryWithCounts } from "#app/stories/counts/counts-schema.ts";
import { AUTO_FOCUS } from "#app/site/form-error-banner.tsx";
import { Button } from "#app/ui/button.tsx";
import { LinkTabs } from "#app/ui/link-tabs.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import type { AnswersView } from "./answers-view.ts";
import { Answers } from "./answers.tsx";
import { DownloadData, ImportData } from "./data/data.tsx";
import { ProfileUidContext, SectionFlash, UidField } from "./form-section.tsx";
import { HiddenItems, HiddenPeople } from "./hidden.tsx";
import { AboutForm, NameForm } from "./public-profile.tsx";
import { OwnStories } from "./own-stories.tsx";
import { ProfileCard } from "./profile-card.tsx";
import type { UnsavedAbout, UnsavedProfile } from "./profile-schema.ts";
import styles from "./profile-screen.module.css";
import {
  PROFILE_TABS,
  type ProfileActionResult,
  type ProfileTab,
  type SecurityView,
} from "./profile-view.ts";
import type { ReportsView } from "./reports/reports-view.ts";
import { Reports } from "./reports/reports.tsx";
import { Security } from "./security.tsx";
import { UnseenMode } from "./unseen-mode.tsx";

export interface ProfileScreenProps {
  user: User;
  /** Whether this site stores pictures. */
  canUpload: boolean;
  tab: ProfileTab;
  /** `null` while the provider cannot be reached. */
  security: SecurityView | null;
  /** The people whose messages the user has hidden; `null` on the other tabs, and when they cannot be read. */
  hidden: HiddenPerson[] | null;
  /** The stories, tags and writers that the user has hidden; `null` like `hidden`. */
  hiddenItems: HiddenItem[] | null;
  /** Whether the user is not shown in the room; `null` like `hidden`. */
  isUnseen: boolean | null;
  /** Whether the user is left out of the numbers of readers; `null` like `hidden`. */
  isUncounted: boolean | null;
  /** In how many files the user's data can be downloaded. */
  files: number;
  /** The answers to the user; `null` like `hidden`. */
  answers: AnswersView | null;
  /** Whether the user has the tab with reports. */
  isOperator: boolean;
  /** What operators see; `null` like `hidden`. */
  reports: ReportsView | null;
  /** How many messages have open reports; `null` for other users, and when it cannot be read. */
  openReports: number | null;
  /** The user's published stories; `null` like `hidden`. */
  stories: StoryWithCounts[] | null;
  /** What was submitted after the session had ended. */
  unsaved: UnsavedProfile | UnsavedAbout | null;
  /** The line about the user on their page; `null` on the other tabs, and when it cannot be read. */
  about: string | null;
  result: ProfileActionResult | undefined;
  /** The error of linking Google in the page's own window. */
  googleError: FormError | undefined;
  /** The page that the user wanted to open before they signed in. */
  returnTo: ReturnTo | null;
}

const TABS = PROFILE_TABS.map(({ id, label }) => ({ id, label, to: `/profile?tab=${id}` }));
const TABS_OF_OTHERS = TABS.filter(({ id }) => id !== "reports");

/** The profile: the user's details, and the tabs with forms to change them. */
export function ProfileScreen({
  user,
  canUpload,
  tab,
  security,
  hidden,
  hiddenItems,
  isOperator,
  reports,
  openReports,
  isUnseen,
  isUncounted,
  files,
  answers,
  stories,
  unsaved,
  about,
  result,
  googleError,
  returnTo,
}: ProfileScreenProps) {
  const { answerCount } = useRoomDock();
  return (
    <ProfileUidContext.Provider value={user.uid}>
      <ProfileCard user={user} isWide={tab === "reports"}>
        <ContinueLink returnTo={returnTo} />
        {security && !security.isEmailConfirmed ? <ConfirmEmail result={result} /> : null}
        <div className={styles.tabs}>
          <LinkTabs
            label="Profile sections"
            tabs={isOperator ? TABS : TABS_OF_OTHERS}
            current={tab}
            counts={{ answers: answers?.newCount ?? answerCount, reports: openReports }}
            isStretched
          />
          {tab === "name" ? (
            <>
              <NameForm
                user={user}
                canUpload={canUpload}
                submitted={unsaved && "displayName" in unsaved ? unsaved : null}
                result={result}
              />
              <AboutForm
                uid={user.uid}
                about={about}
                submitted={unsaved && "about" in unsaved ? unsaved : null}
                result={result}
              />
            </>
          ) : null}
          {tab === "answers" ? <Answers answers={answers} uid={user.uid} /> : null}
          {tab === "stories" ? <OwnStories stories={stories} uid={user.uid} /> : null}
          {tab === "security" ? (
            <Security user={user} security={security} result={result} googleError={googleError} />
          ) : null}
          {tab === "data" ? (
            <>
              <DownloadData files={files} />
              <ImportData result={result} />
              <UnseenMode isUnseen={isUnseen} isUncounted={isUncounted} result={result} />
            </>
          ) : null}
          {tab === "hidden" ? (
            <>
              <HiddenPeople people={hidden} result={result} />
              <HiddenItems items={hiddenItems} />
            </>
          ) : null}
          {tab === "reports" ? (
            <Reports reports={reports} canUpload={canUpload} result={result} />
          ) : null}
        </div>
      </ProfileCard>
    </ProfileUidContext.Provider>
  );
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

interface ConfirmEmailProps {
  result: ProfileActionResult | undefined;
}

/** Asks the user to confirm their e-mail address, and sends another link. No feature requires a confirmed address. */
function ConfirmEmail({ result }: ConfirmEmailProps) {
  const isPending = useNavigation().formData?.get("intent") === "send-confirmation";
  const banner = result?.form === "send-confirmation" && !isPending ? result.banner : undefined;
  return (
    <section className={styles.section} aria-labelledby="confirm-title">
      <div className={styles.text}>
        <h2 className={styles.heading} id="confirm-title" {...(banner ? AUTO_FOCUS : {})}>
          Confirm your e-mail
        </h2>
        <p>Open the link we e-mailed you, so that you can recover your account.</p>
      </div>
      <Form method="post" action="/profile" preventScrollReset>
        <input type="hidden" name="intent" value="send-confirmation" />
        <UidField />
        <Button className={styles.button} type="submit" variant="quiet" isPending={isPending}>
          Send again
        </Button>
        <StillTrying isPending={isPending} />
      </Form>
      <SectionFlash section="send-confirmation" isPending={isPending} />
      {banner ? (
        <MessageBanner className={styles.error} severity="warn" hint={banner.hint}>
          {banner.message}
        </MessageBanner>
      ) : null}
    </section>
  );
}
