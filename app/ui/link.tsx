import { Link as RemixLink, type LinkProps as RemixLinkProps } from "@remix-run/react";
import { forwardRef } from "react";

import styles from "./link.module.css";

export interface LinkProps extends RemixLinkProps {
  /**
   * Sets `[data-variant]`: `inline` for links in running text, `standalone` for a link on its own row, which is as
   * tall as a button.
   *
   * @default 'inline'
   */
  variant?: "inline" | "standalone";
  /** Inherits the colour of the surrounding text. Sets `[data-quiet]`. @default false */
  isQuiet?: boolean;
}

/**
 * Remix's link with our styles. React Aria's would add 11 KB to every page and still need this one inside.
 *
 * @selector [aria-current] it links to the current page
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
