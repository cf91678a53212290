import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./position-banner.module.css";

/** Offers a new version of the text that differs from what the user sees. */
export function UpdateBanner({ onShow }: { onShow: () => void }) {
  return (
    <MessageBanner className={styles.banner}>
      Updated.{" "}
      <button type="button" onClick={onShow}>
        Show the changes
      </button>
    </MessageBanner>
  );
}
