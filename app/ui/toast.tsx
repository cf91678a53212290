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

/** More would cover the page; the others are queued. */
const MAX_VISIBLE = 3;

interface ToastMessage {
  message: string;
  severity: "info" | "success" | "warn" | "error";
}

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: MAX_VISIBLE });

export interface ToastOptions {
  /**
   * Sets `[data-severity]`.
   *
   * @default 'info'
   */
  severity?: ToastMessage["severity"];
  /**
   * Milliseconds until it closes automatically. Paused while any toast is hovered or has the focus.
   *
   * @default 6000; errors stay until they are closed
   */
  life?: number;
  /** Called when the user closes it or its life ends. */
  onDismiss?: () => void;
}

/** Shows a toast. In the browser only: on the server the queue is shared by all requests. */
export function showToast(message: string, options: ToastOptions = {}): void {
  const { severity = "info", life = severity === "error" ? undefined : LIFE_MS } = options;
  queue.add({ message, severity }, { timeout: life, onClose: options.onDismiss });
}

/**
 * The landmark where toasts appear, above dialogs too. Render it once on a page; F6 moves the focus there. Screen
 * readers announce errors at once, others when they pause.
 *
 * @selector [data-hovered] [data-focused] on the region
 */
export function ToastRegion() {
  const count = useSyncExternalStore(subscribe, countVisible, countVisible);
  return (
    <AriaToastRegion
      queue={queue}
      className={styles.region}
      // React Aria looks for the region's element when the label changes; with a constant label F6 would skip it.
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
