import { Link as RemixLink, type LinkProps as RemixLinkProps } from "@remix-run/react";
import { forwardRef } from "react";

import styles from "./link.module.css";

export interface LinkProps extends RemixLinkProps {
  /**
   * Sets `[data-variant]`: `inline` for links among words, `standalone` for one with a row of its own, which
   * is as high as a key.
   *
   * @default 'inline'
   */
  variant?: "inline" | "standalone";
  /** Whether it has the colour of the words around it. Sets `[data-quiet]`. @default false */
  isQuiet?: boolean;
}

/**
 * A link in words. Remix's own, which asks for the next page without leaving this one and is a plain link
 * until scripts run. React Aria's would add 11 KB to every page and still need this one inside.
 *
 * @selector [aria-current] the page it leads to is this one
 */
export const Link = forwardRef<HTMLAnchorElement, LinkProps>(function Link(
  { variant = "inline", isQuiet = false, className, ...props },
  ref,
) {
  return (
    <RemixLink
      {...props}
      ref={ref}
      className={[styles.link, className].filter(Boolean).join(" ")}
      data-variant={variant}
      data-quiet={isQuiet || undefined}
    />
  );
});
