import { hydrateLazily } from "#app/ui/hydrate-lazily.tsx";
import { SaveButton, type SaveButtonProps } from "./save-button.tsx";
import styles from "./save-button.module.css";

const LazySaveButton = hydrateLazily(
  import.meta.env.SSR ? SaveButton : null,
  async () => (await import("./save-button.tsx")).SaveButton,
);

/** The button of the reading page that saves its story for later. Its script is loaded with the first interaction. */
export function SaveTool(props: Omit<SaveButtonProps, "variant">) {
  const button = { ...props, variant: "tool" } as const;
  return <LazySaveButton id="save-story" className={styles.tool} props={button} />;
}
