import { Link, type LinkProps } from "@remix-run/react";
import { forwardRef, type ComponentPropsWithoutRef, type MouseEvent } from "react";

import styles from "./button.module.css";

export interface ButtonProps extends Omit<
  ComponentPropsWithoutRef<"button">,
  "disabled" | "onClick"
> {
  /**
   * Sets `[data-variant]`. Use `danger` for actions that delete something.
   *
   * @default 'primary'
   */
  variant?: "primary" | "quiet" | "danger";
  /** Disables the native button, so it can't be focused either. */
  isDisabled?: boolean;
  /** Whether its action is in progress: shows a spinner before the label and ignores presses. */
  isPending?: boolean;
  onPress?: () => void;
}

/** A native button, so that it submits its form, with its name and value, before hydration. */
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
  function handleClick(event: MouseEvent) {
    // Unlike `disabled`, this blocks a second press without losing the focus.
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
      onClick={handleClick}
    >
      {isPending ? <span className={styles.spinner} aria-hidden="true" /> : null}
      {children}
    </button>
  );
});

export interface ButtonLinkProps extends LinkProps {
  /**
   * Sets `[data-variant]`.
   *
   * @default 'primary'
   */
  variant?: "primary" | "quiet";
}

/** A link that looks like a button. For navigation only, never for an action. */
export const ButtonLink = forwardRef<HTMLAnchorElement, ButtonLinkProps>(function ButtonLink(
  { variant = "primary", className, ...props },
  ref,
) {
  return (
    <Link
      {...props}
      ref={ref}
      className={[styles.button, className].filter(Boolean).join(" ")}
      data-variant={variant}
    />
  );
});
