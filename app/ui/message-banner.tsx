import { useEffect, useRef, useState, type ReactNode } from "react";

import { Icon } from "./icon.tsx";
import styles from "./message-banner.module.css";
import { useHydrated } from "./use-hydrated.ts";

export interface MessageBannerProps {
  /**
   * Sets `[data-severity]`.
   *
   * @default 'info'
   */
  severity?: "info" | "success" | "warn" | "error";
  /** Milliseconds until it goes by itself, not counting those it is pointed at or holds the focus. @default never */
  life?: number;
  /** A second, quiet line, or a form, below the message, which stays word for word as it came. */
  hint?: ReactNode;
  /** Whether it has a close key, once scripts run. @default false */
  isDismissable?: boolean;
  /** Called when it has gone, by its key or by its life. */
  onDismiss?: () => void;
  className?: string;
  children: ReactNode;
}

/** A message about what just happened. An error interrupts those who listen; others wait for a pause. */
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
  const [isGone, setIsGone] = useState(false);
  const [isHovered, setIsHovered] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);

  function dismiss() {
    setIsGone(true);
    onDismiss?.();
  }

  useLife(isGone ? undefined : life, isHovered || hasFocus, dismiss);

  if (isGone) return null;
  return (
    <div
      className={[styles.banner, className].filter(Boolean).join(" ")}
      data-severity={severity}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <Icon name={severity} className={styles.icon} />
      <div className={styles.text}>
        <div role={severity === "error" ? "alert" : "status"}>{children}</div>
        {hint ? <div className={styles.hint}>{hint}</div> : null}
      </div>
      {isDismissable && isHydrated ? (
        <button className={styles.close} type="button" aria-label="Close" onClick={dismiss}>
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  );
}

/** Calls back once `life` milliseconds have passed without pause. */
function useLife(life: number | undefined, isPaused: boolean, onEnd: () => void) {
  const left = useRef(life);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    left.current = life;
  }, [life]);
  useEffect(() => {
    if (life === undefined || isPaused) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => end.current(), left.current ?? life);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(0, (left.current ?? life) - (performance.now() - startedAt));
    };
  }, [life, isPaused]);
}
