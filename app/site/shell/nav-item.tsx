import { Link, useLocation, type LinkProps } from "@remix-run/react";

import styles from "./shell.module.css";

/** A link in the header. Unlike Remix's `NavLink`, it doesn't mark a link with a hash as current. */
export function NavItem(props: Omit<LinkProps, "className"> & { to: string }) {
  const { pathname } = useLocation();
  const isCurrent = props.to === pathname;
  return (
    <Link {...props} className={styles.navLink} aria-current={isCurrent ? "page" : undefined} />
  );
}
