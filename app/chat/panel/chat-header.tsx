import { Link, useFetcher } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import type { FormError } from "#app/http/form.ts";
import { GoogleBanner, GoogleForm, useGoogle } from "#app/accounts/google/google-form.tsx";
import { formatAnswerCount } from "#app/chat/answers/answer.ts";
import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import type { User } from "#app/session/user.ts";
import { findFormError, type Offline } from "#app/site/offline.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import badge from "#app/ui/count-badge.module.css";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./chat-header.module.css";

export interface ChatHeaderProps {
  user: User | null;
  /** The path of the page. */
  path: string;
  /** The error of a sign-in with Google that left the page and came back. */
  signInError: FormError | undefined;
  /** The id of the page's own form. Without scripts, signing out submits it, so that its content is saved. */
  pageFormId: string | undefined;
  /** Called when Google's pop-up has signed the user in. */
  onSignedIn: () => void;
  /** Shown after the name of a signed-in user. */
  children?: ReactNode;
}

const GOOGLE_FORM_ID = "room-google";

/** Shows the user and the sign-out button, or the sign-in button. */
export function ChatHeader({ user, ...props }: ChatHeaderProps) {
  return user ? <SignedIn user={user} {...props} /> : <SignedOut {...props} />;
}

function SignedOut({
  path,
  signInError,
  onSignedIn,
}: Pick<ChatHeaderProps, "path" | "signInError" | "onSignedIn">) {
  const google = useGoogle(signInError, { onSignedIn });
  return (
    <>
      <header className={styles.header}>
        <GoogleForm id={GOOGLE_FORM_ID} google={google} screen="room" returnTo={path}>
          Sign in with Google
        </GoogleForm>
      </header>
      {google.error ? (
        <GoogleBanner error={google.error} formId={GOOGLE_FORM_ID} className={styles.error} />
      ) : null}
    </>
  );
}

interface SignedInProps extends Pick<ChatHeaderProps, "path" | "pageFormId" | "children"> {
  user: User;
}

function SignedIn({ user, path, pageFormId, children }: SignedInProps) {
  const fetcher = useFetcher<Offline | null>();
  const isPending = fetcher.state !== "idle";
  const error = isPending ? undefined : findFormError(fetcher.data ?? undefined);
  const isHydrated = useHydrated();
  const { answerCount } = useRoomDock();
  const signOut = useRef<HTMLButtonElement>(null);

  useBrowserLayoutEffect(() => {
    const button = signOut.current;
    return () => {
      // The button is about to be removed, and the focus with it.
      if (button && document.activeElement === button) focusRoom(button);
    };
  }, []);

  return (
    <>
      <header className={styles.header}>
        <Avatar src={user.photoURL} />
        <span className={styles.name}>
          <Bdi>{user.displayName ?? "You"}</Bdi>
        </span>
        {/* First, so that the others do not move when it appears. */}
        {children}
        <Link className={styles.answers} to="/profile?tab=answers">
          Answers
          {answerCount > 0 ? (
            <span className={badge.badge}>
              {formatAnswerCount(answerCount)}
              <VisuallyHidden> unread</VisuallyHidden>
            </span>
          ) : null}
        </Link>
        <fetcher.Form
          method="post"
          action="/logout"
          onSubmit={(event) => {
            // With scripts, `stay` leaves the page as it is, with everything that was typed on it.
            event.preventDefault();
            fetcher.submit({ stay: "true" }, { method: "post", action: "/logout" });
          }}
        >
          <input type="hidden" name="returnTo" value={path} />
          <Button
            ref={signOut}
            type="submit"
            variant="quiet"
            className={styles.signOut}
            isPending={isPending}
            {...(pageFormId &&
              !isHydrated && { form: pageFormId, name: "intent", value: "sign-out" })}
          >
            Sign out
          </Button>
        </fetcher.Form>
      </header>
      {error ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </>
  );
}

/** Moves the focus to the room around a control. */
function focusRoom(control: Element) {
  const room = control.closest("section");
  if (!room) return;
  room.tabIndex = -1;
  room.focus({ preventScroll: true });
}
