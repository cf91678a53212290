import { Form, useFetcher } from "@remix-run/react";

import { Avatar } from "#app/components/avatar.tsx";
import { Button } from "#app/components/button.tsx";
import type { Account } from "#app/schemas/account.ts";
import styles from "./chat-header.module.css";

/** Says who is talking, or offers to sign in. */
export function ChatHeader({ account, path }: { account: Account | null; path: string }) {
  return (
    <header className={styles.header}>
      {account ? <SignedIn account={account} path={path} /> : <SignedOut />}
    </header>
  );
}

function SignedOut() {
  return (
    <Form method="post" action="/login">
      <Button type="submit" variant="quiet" name="intent" value="google">
        Sign in with Google
      </Button>
    </Form>
  );
}

function SignedIn({ account, path }: { account: Account; path: string }) {
  const fetcher = useFetcher();
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
        <Button type="submit" variant="quiet" isPending={fetcher.state !== "idle"}>
          Sign out
        </Button>
      </fetcher.Form>
    </>
  );
}
