import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import styles from "./profile-card.module.css";

export interface ProfileCardProps {
  account: User;
  /** What follows: the parts of the profile that can be changed. */
  children?: ReactNode;
}

/** Who is signed in, and the way out. */
export function ProfileCard({ account, children }: ProfileCardProps) {
  const isLeaving = useNavigation().formAction === "/logout";

  return (
    <section className={styles.card} aria-labelledby="profile-title">
      <h1 id="profile-title">Profile</h1>
      <div className={styles.person}>
        <Avatar src={account.photoURL} size="large" alt="Your photo" />
        {account.photoURL ? null : (
          <Link className={styles.noPhoto} to="/profile?tab=name#photo-address">
            Add a photo
          </Link>
        )}
        <dl className={styles.facts}>
          <dt>Name</dt>
          <dd className={styles.name} data-empty={account.displayName ? undefined : true}>
            {account.displayName ?? (
              <>
                Not set <Link to="/profile?tab=name#display-name">Add a name</Link>
              </>
            )}
          </dd>
          <dt>E-mail</dt>
          <dd>{account.email}</dd>
        </dl>
      </div>
      <Form method="post" action="/logout" className={styles.out}>
        <Button type="submit" variant="quiet" isPending={isLeaving}>
          LogOut
        </Button>
      </Form>
      {children}
    </section>
  );
}
