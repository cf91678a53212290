import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { UNSEEN } from "./icon-paths.ts";
import styles from "./unseen-line.module.css";

/** Reminds users above the composer that unseen mode is on, with a button that opens the setting. */
export function UnseenLine({ onChange }: { onChange: () => void }) {
  return (
    <div className={styles.line}>
      <Icon path={UNSEEN} />
      <p className={styles.text}>Others can't see that you're here.</p>
      <Button variant="quiet" className={styles.button} onPress={onChange}>
        Change
      </Button>
    </div>
  );
}
