import { Link, useLocation } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { ThemeSwitch } from "#app/site/theme/theme-switch.tsx";
import type { Theme } from "#app/site/theme/theme.ts";
import { LoadingBar } from "./loading-bar.tsx";
import { Logo } from "./logo.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import styles from "./shell.module.css";

export interface ShellProps {
  user: User | null;
  theme: Theme;
  children: ReactNode;
}

/** The layout of every page: the bar with the navigation and the theme switch, and `<main>`. */
export function Shell({ user, theme, children }: ShellProps) {
  const { pathname, search } = useLocation();
  const hasRoom = pathname === "/create" || pathname.startsWith("/read/");
  const roomPage = hasRoom ? pathname : "/home";
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
                <NavItem to="/home">Home</NavItem>
              </li>
              <li>
                <NavItem to="/create">Create</NavItem>
              </li>
              <li>
                <NavItem to={`${roomPage}#room`}>Room</NavItem>
              </li>
            </ul>
            {user ? (
              <NavItem to="/profile">Profile</NavItem>
            ) : (
              <NavItem to="/login">Sign in</NavItem>
            )}
          </nav>
          <ThemeSwitch theme={theme} returnTo={pathname + search} />
        </div>
      </header>
      <main className={styles.page} id="page" tabIndex={-1} ref={main}>
        {children}
      </main>
    </>
  );
}

/** Unlike Remix's `NavLink`, doesn't mark a link with a hash as current. */
function NavItem({ to, children }: { to: string; children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Link className={styles.navLink} to={to} aria-current={to === pathname ? "page" : undefined}>
      {children}
    </Link>
  );
}
