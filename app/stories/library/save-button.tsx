import { retry } from "#app/http/wait.ts";
import { hydrateLazily } from "#app/ui/hydrate-lazily.tsx";
import iconButton from "#app/ui/icon-button.module.css";
import { LibraryForm } from "./library-form.tsx";
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
  return (
    <LibraryForm
      action="/saved"
      field={["story", id]}
      intents={["save", "remove"]}
      isOn={isSaved}
      className={styles.form}
      variant={variant}
      messageClassName={styles.message}
    >
      {(_, button) => (
        <button
          {...button}
          className={`${iconButton.button} ${styles.button}`}
          aria-label={variant === "tool" ? undefined : `Save for later: ${title}`}
          title="Save for later"
        >
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="M5.5 3h9v14L10 13.5 5.5 17Z" />
          </svg>
          {variant === "tool" ? "Save" : null}
        </button>
      )}
    </LibraryForm>
  );
}

const LazySaveButton = hydrateLazily(import.meta.env.SSR ? SaveButton : null, () =>
  retry(async () => (await import("./save-button.tsx")).SaveButton),
);

/** The button of the reading page that saves its story for later. Its script is loaded with the first interaction. */
export function SaveTool(props: Omit<SaveButtonProps, "variant">) {
  const button = { ...props, variant: "tool" } as const;
  return <LazySaveButton id="save-story" className={styles.tool} props={button} />;
}
