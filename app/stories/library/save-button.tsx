import { useFetcher, useLocation } from "@remix-run/react";

import { findListMessage } from "./list-message.ts";
import styles from "./save-button.module.css";

export interface SaveButtonProps {
  id: string;
  title: string;
  isSaved: boolean;
  /** `corner`: an icon in the corner of a card; `tool`: an icon with a word in a bar. @default 'corner' */
  variant?: "corner" | "tool";
}

/** Saves a story for later, or removes it from the shelf. */
export function SaveButton({ id, title, isSaved, variant = "corner" }: SaveButtonProps) {
  const { Form, formData, data } = useFetcher();
  const message = formData ? undefined : findListMessage(data);
  const { pathname, search } = useLocation();
  const isPressed = formData ? formData.get("intent") === "save" : isSaved;
  return (
    <Form className={styles.form} data-variant={variant} method="post" action="/saved">
      <input type="hidden" name="story" value={id} />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <button
        className={styles.button}
        type="submit"
        name="intent"
        value={isPressed ? "remove" : "save"}
        aria-pressed={isPressed}
        aria-label={variant === "tool" ? undefined : `Save for later: ${title}`}
        title="Save for later"
      >
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M5.5 3h9v14L10 13.5 5.5 17Z" />
        </svg>
        {variant === "tool" ? "Save" : null}
      </button>
      {message === undefined ? null : (
        <p className={styles.message} role="alert">
          {message}
        </p>
      )}
    </Form>
  );
}
