import { Late, lazyAfterInteraction } from "#app/ui/late.tsx";
import { SaveButton } from "./save-button.tsx";
import styles from "./save-button.module.css";

const Button = import.meta.env.SSR
  ? SaveButton
  : lazyAfterInteraction(async () => (await import("./save-button.tsx")).SaveButton);

/** The button of the reading page that saves its story for later. Its script is loaded with the first interaction. */
export function SaveTool(props: { id: string; title: string; isSaved: boolean }) {
  return (
    <Late id="save-story" className={styles.tool}>
      <Button {...props} variant="tool" />
    </Late>
  );
}
