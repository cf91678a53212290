import { useEffect, useRef, useState, type ReactNode } from "react";

import iconButton from "./icon-button.module.css";
import { Icon } from "./icon.tsx";
import styles from "./message-banner.module.css";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";
import { useHydrated } from "./hydration.ts";

export interface MessageBannerProps {
  /**
   * Sets `[data-severity]`.
   *
   * @default 'info'
   */
  severity?: "info" | "success" | "warn" | "error";
  /** Milliseconds until it closes automatically. Paused while it is hovered or has the focus. @default never */
  life?: number;
  /** Secondary text, or a form, below the message. */
  hint?: ReactNode;
  /** Whether it has a close button, which appears after hydration. @default false */
  isDismissable?: boolean;
  /** Called when the user closes it or its life ends. */
  onDismiss?: () => void;
  className?: string;
  children: ReactNode;
}

/**
 * A message about what just happened. Screen readers announce errors at once, and their hints and other messages when
 * they pause.
 */
export function MessageBanner({
  severity = "info",
  life,
  hint,
  isDismissable = false,
  onDismiss,
  className,
  children,
}: MessageBannerProps) {
  const isHydrated = useHydrated();
  const ref = useFocusAfterRemoval<HTMLDivElement>();
  const [isDismissed, setIsDismissed] = useState(false);
  const [isHovered, setIsHovered] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);

  function dismiss() {
    setIsDismissed(true);
    onDismiss?.();
  }

  useLife(isDismissed ? undefined : life, isHovered || hasFocus, dismiss);

  if (isDismissed) return null;
  const isError = severity === "error";
  return (
    <div
      ref={ref}
      className={[styles.banner, className].filter(Boolean).join(" ")}
      data-severity={severity}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <Icon name={severity} className={styles.icon} />
      <div className={styles.text} role={isError ? undefined : "status"}>
        <div role={isError ? "alert" : undefined}>{children}</div>
        {hint ? (
          <div className={styles.hint} role={isError ? "status" : undefined}>
            {hint}
          </div>
        ) : null}
      </div>
      {isDismissable && isHydrated ? (
        <button
          className={`${iconButton.button} ${styles.close}`}
          type="button"
          aria-label="Close"
          onClick={dismiss}
        >
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  );
}

/** Calls `onEnd` after `life` milliseconds, not counting the time it was paused. */
function useLife(life: number | undefined, isPaused: boolean, onEnd: () => void) {
  const remainingMs = useRef(life);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    remainingMs.current = life;
  }, [life]);
  useEffect(() => {
    if (life === undefined || isPaused) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => end.current(), remainingMs.current ?? life);
    return () => {
      clearTimeout(timer);
      remainingMs.current = Math.max(
        0,
        (remainingMs.current ?? life) - (performance.now() - startedAt),
      );
    };
  }, [life, isPaused]);
}
