import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./profile-card.module.css";

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
