import { useSyncExternalStore } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from "react-aria-components/Toast";

import { Icon } from "./icon.tsx";
import banner from "./message-banner.module.css";
import styles from "./toast.module.css";

const LIFE_MS = 6000;

/** More than these would cover what they speak of; the others wait their turn. */
const MAX_VISIBLE = 3;

interface ToastContentValue {
  message: string;
  severity: "info" | "success" | "warn" | "error";
}

const queue = new ToastQueue<ToastContentValue>({ maxVisibleToasts: MAX_VISIBLE });

export interface ToastOptions {
  /**
   * Sets `[data-severity]`.
   *
   * @default 'info'
   */
  severity?: ToastContentValue["severity"];
  /**
   * Milliseconds until it goes by itself, not counting those any of them is pointed at or holds the focus.
   *
   * @default 6000, and an error stays until it is closed
   */
  life?: number;
  /** Called when it has gone, by its key or by its life. */
  onDismiss?: () => void;
}

/** Says in passing what an act just did. For the browser only: a server would say it to everybody. */
export function showToast(message: string, options: ToastOptions = {}): void {
  const { severity = "info", life = severity === "error" ? undefined : LIFE_MS } = options;
  queue.add({ message, severity }, { timeout: life, onClose: options.onDismiss });
}

/**
 * Where toasts appear: once on every page that shows any. It is a landmark, which F6 reaches, and lies over
 * dialogs too. An error interrupts those who listen; others wait for a pause.
 *
 * @selector [data-hovered] [data-focused] on the region
 */
export function ToastRegion() {
  const count = useSyncExternalStore(subscribe, countVisible, countVisible);
  return (
    <AriaToastRegion
      queue={queue}
      className={styles.region}
      // React Aria looks for its landmark when the name changes: under a fixed one F6 would never find it.
      aria-label={count === 1 ? "1 message" : `${count} messages`}
    >
      {({ toast }) => (
        <AriaToast
          toast={toast}
          className={`${banner.banner} ${styles.toast}`}
          data-severity={toast.content.severity}
        >
          <Icon name={toast.content.severity} className={banner.icon} />
          <ToastContent
            className={banner.text}
            role={toast.content.severity === "error" ? "alert" : "status"}
          >
            <Text slot="title">{toast.content.message}</Text>
          </ToastContent>
          <AriaButton slot="close" className={banner.close} aria-label="Close">
            <Icon name="close" />
          </AriaButton>
        </AriaToast>
      )}
    </AriaToastRegion>
  );
}

const subscribe = (onChange: () => void) => queue.subscribe(onChange);
const countVisible = () => queue.visibleToasts.length;
