import { PanelHead } from "#app/chat/panel/panel-head.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./room-dock.module.css";
import { useRoomDock } from "./use-room-dock.tsx";

export interface LoadingRoomProps {
  hasFailed: boolean;
  onRetry: () => void;
}

/** Shown until the room's code and messages are loaded. */
export function LoadingRoom({ hasFailed, onRetry }: LoadingRoomProps) {
  const { close, dock } = useRoomDock();

  function retry() {
    // The focused button is about to disappear.
    dock.current?.focus({ preventScroll: true });
    onRetry();
  }

  return (
    <section className={styles.loading} aria-label="The room" aria-busy={!hasFailed}>
      <PanelHead label="Close the room" onClose={close} />
      {hasFailed ? (
        <div className={styles.failed}>
          <MessageBanner
            severity="error"
            hint={
              <Button variant="quiet" onPress={retry}>
                Try again
              </Button>
            }
          >
            We can't open the room right now.
          </MessageBanner>
        </div>
      ) : null}
    </section>
  );
}
