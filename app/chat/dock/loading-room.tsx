import { PanelHead } from "#app/chat/panel/panel-head.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./loading-room.module.css";
import { useRoomDock } from "./use-room-dock.tsx";

/** Shown until the room's code and messages are loaded. */
export function LoadingRoom({ hasFailed }: { hasFailed: boolean }) {
  const { close } = useRoomDock();
  return (
    <section className={styles.loading} aria-label="The room" aria-busy={!hasFailed}>
      <PanelHead label="Close the room" onClose={close} />
      {hasFailed ? (
        <div className={styles.failed}>
          <MessageBanner severity="error" hint="We'll try again when you're back online.">
            We can't open the room right now.
          </MessageBanner>
        </div>
      ) : null}
    </section>
  );
}
