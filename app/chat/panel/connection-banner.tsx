import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./chat-panel.module.css";

export interface ConnectionBannerProps {
  /** Whether there has been no connection for a while, so that no new messages arrive. */
  isLost: boolean;
  /** Whether the browser has deleted the site's data. */
  isStorageLost: boolean;
  onReload: () => void;
}

/** Says why the feed may be outdated. */
export function ConnectionBanner({ isLost, isStorageLost, onReload }: ConnectionBannerProps) {
  if (isStorageLost) {
    return (
      <div className={styles.banner}>
        <MessageBanner
          severity="warn"
          hint={
            <Button variant="quiet" onPress={onReload}>
              Reload
            </Button>
          }
        >
          This page's saved data was deleted. Reload to get new messages.
        </MessageBanner>
      </div>
    );
  }
  if (!isLost) return null;
  return (
    <div className={styles.banner}>
      <MessageBanner severity="warn">
        New messages aren't arriving. We're trying again.
      </MessageBanner>
    </div>
  );
}
