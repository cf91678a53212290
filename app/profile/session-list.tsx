import { useNavigation } from "@remix-run/react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { MAX_LISTED_SESSIONS } from "#app/session/user.ts";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import { Button } from "#app/ui/button.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { ProfileForm, SectionFlash } from "./form-section.tsx";
import type { ProfileActionResult, SessionView } from "./profile-view.ts";
import styles from "./security.module.css";

export interface SessionListProps {
  /** `null` when the registry cannot be read. */
  sessions: SessionView[] | null;
  result: ProfileActionResult | undefined;
}

/** The user's sessions, each with a button to end it. */
export function SessionList({ sessions, result }: SessionListProps) {
  const isEnding = useNavigation().formData?.get("intent") === "end-session";
  if (!sessions) return <p>We can't load your sessions right now.</p>;
  const banner = result?.form === "end-session" ? result.banner : undefined;
  const isCurrentListed = sessions.some(({ isCurrent }) => isCurrent);
  return (
    <>
      <FormErrorBanner error={banner} />
      <ul className={styles.list}>
        {isCurrentListed ? null : (
          <li className={styles.session}>
            <SessionDetails device="This browser" isCurrent={false} times="Last used just now." />
          </li>
        )}
        {sessions.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
      <SectionFlash section="end-session" isPending={isEnding} />
      {sessions.length === MAX_LISTED_SESSIONS ? (
        <p>
          Only the {MAX_LISTED_SESSIONS} that were used last are listed. Signing out everywhere ends
          the others too.
        </p>
      ) : null}
      {sessions.length > 1 ? (
        <p>
          A browser you sign out can show its open page for up to a minute. “Last used” is updated
          once an hour.
        </p>
      ) : null}
    </>
  );
}

function Session({ session }: { session: SessionView }) {
  const { id, device, isCurrent, signedInAt, seenAt } = session;
  const isPending = useNavigation().formData?.get("session") === id;
  const ref = useFocusAfterRemoval<HTMLFormElement>();
  return (
    <li className={styles.session}>
      <SessionDetails
        device={device}
        isCurrent={isCurrent}
        times={`Signed in ${signedInAt}. Last used ${seenAt}.`}
      />
      {isCurrent ? null : (
        <ProfileForm ref={ref} form="end-session">
          <input type="hidden" name="session" value={id} />
          <Button type="submit" variant="quiet" isPending={isPending}>
            Sign out<VisuallyHidden> {device}</VisuallyHidden>
          </Button>
          <StillTrying isPending={isPending} />
        </ProfileForm>
      )}
    </li>
  );
}

function SessionDetails({
  device,
  isCurrent,
  times,
}: {
  device: string;
  isCurrent: boolean;
  times: string;
}) {
  return (
    <div>
      <span className={styles.device}>{device}</span>
      {isCurrent ? <span className={styles.current}>This browser</span> : null}
      <p className={styles.sessionTimes}>{times}</p>
    </div>
  );
}
