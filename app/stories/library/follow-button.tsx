import { Button } from "#app/ui/button.tsx";
import styles from "./follow-button.module.css";
import { LibraryForm } from "./library-form.tsx";

export interface FollowButtonProps {
  uid: string;
  name: string;
  isFollowed: boolean;
}

/** Follows a writer, or stops following them. */
export function FollowButton({ uid, name, isFollowed }: FollowButtonProps) {
  return (
    <LibraryForm
      action="/following"
      field={["writer", uid]}
      intents={["follow", "unfollow"]}
      isOn={isFollowed}
      messageClassName={styles.message}
    >
      {(isOn, button) => (
        // Not `aria-pressed` too, because the name already says it.
        <Button
          {...button}
          className={styles.button}
          aria-pressed={undefined}
          aria-label={isOn ? `Following ${name}` : `Follow ${name}`}
          data-on={isOn || undefined}
        >
          {isOn ? "Following" : "Follow"}
        </Button>
      )}
    </LibraryForm>
  );
}
