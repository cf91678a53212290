import { useRevalidator } from "@remix-run/react";
import { useId, useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";

import { ANONYMOUS } from "#app/chat/message.ts";
import { postForm } from "#app/http/fetch-json.ts";
import { getText } from "#app/http/form.ts";
import { isVisible } from "#app/http/text.ts";
import { MAX_NAME_LENGTH, type User } from "#app/session/user.ts";
import { announce } from "#app/ui/announcer.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import input from "#app/ui/text-input.module.css";
import { isComposing } from "./is-submit-key.ts";
import styles from "./name-line.module.css";

const PROFILE_PATH = "/profile";

export interface NameLineProps {
  user: User;
  /** Called when the form is about to disappear with the focus. */
  onDone: () => void;
}

/** Tells users without a name how they appear, and offers a field for one. Without scripts it links to the profile. */
export function NameLine({ user, onDone }: NameLineProps) {
  const [state, setState] = useState<"closed" | "open" | "saving" | "empty" | "failed">("closed");
  const isHydrated = useHydrated();
  const { revalidate } = useRevalidator();
  const opener = useRef<HTMLButtonElement>(null);
  const errorId = useId();

  const error =
    state === "empty"
      ? "Enter a name."
      : state === "failed"
        ? "We couldn't save your name. Try again."
        : undefined;

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currentTarget } = event;
    const displayName = getText(new FormData(currentTarget), "displayName").trim();
    if (!isVisible(displayName)) {
      currentTarget.querySelector("input")?.focus();
      return setState("empty");
    }
    setState("saving");
    const form = { intent: "save-profile", uid: user.uid, photoURL: user.photoURL ?? "" };
    const result = await postForm(PROFILE_PATH, { ...form, displayName });
    // After a change, and after the end of the session, the server leads to another page.
    const isDone = result.status === "responded" && result.response.redirected;
    // The user may have cancelled meanwhile.
    if (!isDone) return setState((now) => (now === "saving" ? "failed" : now));
    if (new URL(result.response.url).pathname === PROFILE_PATH) announce("Your name was saved.");
    if (currentTarget.contains(document.activeElement)) onDone();
    setState("closed");
    revalidate();
  }

  function cancel() {
    flushSync(() => setState("closed"));
    opener.current?.focus();
  }

  if (state === "closed") {
    return (
      <p className={styles.line}>
        You'll appear as “{ANONYMOUS}”.{" "}
        {isHydrated ? (
          <Button
            ref={opener}
            variant="quiet"
            className={styles.add}
            onPress={() => setState("open")}
          >
            Add a name
          </Button>
        ) : (
          // As large as the button that replaces it.
          <ButtonLink
            variant="quiet"
            className={styles.add}
            to={`${PROFILE_PATH}?tab=name#display-name`}
          >
            Add a name
          </ButtonLink>
        )}
      </p>
    );
  }
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <input
        className={`${input.input} ${styles.field}`}
        name="displayName"
        dir="auto"
        aria-label="Name"
        aria-describedby={error && errorId}
        maxLength={MAX_NAME_LENGTH}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isComposing(event)) return;
          // Otherwise the same key would close the room.
          event.preventDefault();
          cancel();
        }}
      />
      <Button type="submit" isPending={state === "saving"}>
        Save
      </Button>
      <Button variant="quiet" onPress={cancel}>
        Cancel
      </Button>
      <output id={errorId} className={styles.error}>
        {error}
      </output>
    </form>
  );
}
