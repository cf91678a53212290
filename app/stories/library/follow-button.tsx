import { useFetcher, useLocation } from "@remix-run/react";

import { Button } from "#app/ui/button.tsx";
import { findListMessage } from "./list-message.ts";
import styles from "./follow-button.module.css";

export interface FollowButtonProps {
  uid: string;
  name: string;
  isFollowed: boolean;
}

/** Follows a writer, or stops following them. */
export function FollowButton({ uid, name, isFollowed }: FollowButtonProps) {
  const { Form, formData, data } = useFetcher();
  const message = formData ? undefined : findListMessage(data);
  const { pathname, search } = useLocation();
  const isPressed = formData ? formData.get("intent") === "follow" : isFollowed;
  return (
    <Form method="post" action="/following">
      <input type="hidden" name="writer" value={uid} />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <Button
        className={styles.button}
        type="submit"
        name="intent"
        value={isPressed ? "unfollow" : "follow"}
        aria-pressed={isPressed}
        aria-label={`Follow ${name}`}
      >
        {isPressed ? "Following" : "Follow"}
      </Button>
      {message === undefined ? null : (
        <p className={styles.message} role="alert">
          {message}
        </p>
      )}
    </Form>
  );
}
