import { Link } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { ThemeSwitch } from "#app/site/theme/theme-switch.tsx";
import type { Theme } from "#app/site/theme/theme.ts";
import { LoadingBar } from "./loading-bar.tsx";
import { Mark } from "./logo.tsx";
import { PageChange } from "./page-change.tsx";
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
      <PageChange main={main} />
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      <header className={styles.bar}>
        <LoadingBar />
        <div className={styles.inner}>
          <Link className={styles.brand} to="/home">
            <Mark />
            Inkglade
          </Link>
          <nav className={styles.nav} aria-label="Main">
            <ul className={styles.places}>
              <li>
                <Place to="/home" path={path}>
                  Home
                </Place>
              </li>
              <li>
                <Place to="/create" path={path}>
                  Create
                </Place>
              </li>
              <li className={styles.room}>
                <Place to={`${pageOfRoom}#room`} path={path}>
                  Room
                </Place>
              </li>
            </ul>
            {account ? (
              <Place to="/profile" path={path}>
                Profile
              </Place>
            ) : (
              <Place to="/login" path={path}>
                Sign in
              </Place>
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

function Place({ to, path, children }: { to: string; path: string; children: ReactNode }) {
  return (
    <Link className={styles.place} to={to} aria-current={to === path ? "page" : undefined}>
      {children}
    </Link>
  );
}
