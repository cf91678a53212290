import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

import { Avatar } from "#app/components/avatar.tsx";
import { Button } from "#app/components/button.tsx";
import type { Account } from "#app/schemas/account.ts";
import styles from "./profile-card.module.css";

export interface ProfileCardProps {
  account: Account;
  /** What may follow the account: the way on, for instance. */
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
        {account.photoURL ? null : <span className={styles.noPhoto} />}
        <dl className={styles.facts}>
          <dt>Name</dt>
          <dd className={styles.name} data-empty={account.displayName ? undefined : true}>
            {account.displayName ?? "Not set"}
          </dd>
          <dt>E-mail</dt>
          <dd>{account.email}</dd>
        </dl>
      </div>
      {children}
      <Form method="post" action="/logout" className={styles.out}>
        <Button type="submit" variant="quiet" isPending={isLeaving}>
          LogOut
        </Button>
      </Form>
    </section>
  );
}
