import { useFetcher } from "@remix-run/react";

import type { FormError } from "#app/accounts/form-error.ts";
import { GoogleBanner, GoogleForm } from "#app/accounts/google/google-form.tsx";
import { useGoogle } from "#app/accounts/google/use-google.ts";
import type { User } from "#app/session/user.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./chat-header.module.css";

export interface ChatHeaderProps {
  account: User | null;
  /** The page the panel stands on. */
  path: string;
  /** Why an attempt to sign in from here was refused that left the page. */
  refusal: FormError | undefined;
  /** The form of what else is written on the page: without scripts it is saved by whoever signs out. */
  pageForm: string | undefined;
  /** Called when a pop-up has signed somebody in. */
  onSignedIn: () => void;
}

const GOOGLE_FORM = "room-google";

/** Says who is talking, or offers to sign in. */
export function ChatHeader({ account, ...props }: ChatHeaderProps) {
  return account ? (
    <header className={styles.header}>
      <SignedIn account={account} path={props.path} pageForm={props.pageForm} />
    </header>
  ) : (
    <SignedOut {...props} />
  );
}

function SignedOut({ path, refusal, onSignedIn }: Omit<ChatHeaderProps, "account" | "pageForm">) {
  const google = useGoogle(refusal, { onSignedIn });
  return (
    <>
      <header className={styles.header}>
        <GoogleForm id={GOOGLE_FORM} google={google} screen="room" path={path}>
          Sign in with Google
        </GoogleForm>
      </header>
      {google.refusal ? (
        <GoogleBanner refusal={google.refusal} formId={GOOGLE_FORM} className={styles.refusal} />
      ) : null}
    </>
  );
}

interface SignedInProps extends Pick<ChatHeaderProps, "path" | "pageForm"> {
  account: User;
}

function SignedIn({ account, path, pageForm }: SignedInProps) {
  const fetcher = useFetcher();
  const isHydrated = useHydrated();
  const form = isHydrated ? undefined : pageForm;
  return (
    <>
      <Avatar src={account.photoURL} />
      <span className={styles.name}>{account.displayName ?? "You"}</span>
      <fetcher.Form
        method="post"
        action="/logout"
        onSubmit={(event) => {
          // The page stays, with whatever is written on it; only the panel changes.
          event.preventDefault();
          fetcher.submit({ stay: "true" }, { method: "post", action: "/logout" });
        }}
      >
        <input type="hidden" name="returnTo" value={path} />
        <Button
          type="submit"
          variant="quiet"
          isPending={fetcher.state !== "idle"}
          {...(form && { form, name: "intent", value: "sign-out" })}
        >
          Sign out
        </Button>
      </fetcher.Form>
    </>
  );
}
