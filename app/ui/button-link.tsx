import { Link, type LinkProps } from "@remix-run/react";
import { forwardRef } from "react";

import styles from "./button.module.css";

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
