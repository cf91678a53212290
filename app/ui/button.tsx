import { forwardRef, type ComponentPropsWithoutRef, type MouseEvent } from "react";

import styles from "./button.module.css";

export interface ButtonProps extends Omit<
  ComponentPropsWithoutRef<"button">,
  "disabled" | "onClick"
> {
  /**
   * Sets `[data-variant]`: `danger` for an act that takes something away.
   *
   * @default 'primary'
   */
  variant?: "primary" | "quiet" | "danger";
  /** Whether the button can be neither pressed nor focused. */
  isDisabled?: boolean;
  /** Whether its action is under way: the label stays, a ring joins it, and presses do nothing. */
  isPending?: boolean;
  onPress?: () => void;
}

/**
 * A push button. A native one, so that it submits its form, with its name and value, before any script
 * has run.
 */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  {
    variant = "primary",
    type = "button",
    isDisabled = false,
    isPending = false,
    onPress,
    className,
    children,
    ...props
  },
  ref,
) {
  function press(event: MouseEvent) {
    // Unlike `disabled`, this refuses a second press without taking the focus away.
    if (isPending) event.preventDefault();
    else onPress?.();
  }

  return (
    <button
      {...props}
      ref={ref}
      type={type}
      className={[styles.button, className].filter(Boolean).join(" ")}
      data-variant={variant}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={press}
    >
      {isPending ? <span className={styles.spinner} aria-hidden="true" /> : null}
      {children}
    </button>
  );
});
