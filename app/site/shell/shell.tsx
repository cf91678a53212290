import { Link } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { ThemeSwitch } from "#app/site/theme/theme-switch.tsx";
import type { Theme } from "#app/site/theme/theme.ts";
import { LoadingBar } from "./loading-bar.tsx";
import { Logo } from "./logo.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import styles from "./shell.module.css";

export interface ShellProps {
  account: User | null;
  theme: Theme;
  /** The path of the page inside, and its query. */
  address: string;
  children: ReactNode;
}

/** What stands around every page: the bar with its links, the theme key, and the place of the page itself. */
export function Shell({ account, theme, address, children }: ShellProps) {
  const [path = ""] = address.split("?");
  const pageOfRoom = path === "/create" || path.startsWith("/read/") ? path : "/home";

  const main = useRef<HTMLElement>(null);

  return (
    <>
      <RouteAnnouncer main={main} />
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      <header className={styles.bar}>
        <LoadingBar />
        <div className={styles.inner}>
          <Link className={styles.brand} to="/home">
            <Logo />
            Inkglade
          </Link>
          <nav className={styles.nav} aria-label="Main">
            <ul className={styles.navList}>
              <li>
                <NavItem to="/home" path={path}>
                  Home
                </NavItem>
              </li>
              <li>
                <NavItem to="/create" path={path}>
                  Create
                </NavItem>
              </li>
              <li className={styles.roomItem}>
                <NavItem to={`${pageOfRoom}#room`} path={path}>
                  Room
                </NavItem>
              </li>
            </ul>
            {account ? (
              <NavItem to="/profile" path={path}>
                Profile
              </NavItem>
            ) : (
              <NavItem to="/login" path={path}>
                Sign in
              </NavItem>
            )}
          </nav>
          <ThemeSwitch theme={theme} returnTo={address} />
        </div>
      </header>
      <main className={styles.page} id="page" tabIndex={-1} ref={main}>
        {children}
      </main>
    </>
  );
}

function NavItem({ to, path, children }: { to: string; path: string; children: ReactNode }) {
  return (
    <Link className={styles.navLink} to={to} aria-current={to === path ? "page" : undefined}>
      {children}
    </Link>
  );
}
