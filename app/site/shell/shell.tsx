import { Link, useLocation, useNavigation, type LinkProps } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import type { User } from "#app/session/user.ts";
import { ThemeSwitch, type Theme } from "#app/site/theme/theme.tsx";
import footer from "./footer.module.css";
import loadingBar from "./loading-bar.module.css";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { SearchForm } from "./search-form.tsx";
import styles from "./shell.module.css";

export interface ShellProps {
  user: User | null;
  theme: Theme;
  /** The link to the room, for the navigation. */
  roomLink: ReactNode;
  /** The link to the answers, for the navigation of users. */
  answersLink?: ReactNode;
  /** The room beside the page. */
  room: ReactNode;
  /** The address of the source code, for the footer. */
  sourceUrl?: string | undefined;
  children: ReactNode;
}

/** The pages without a footer: it would be in the way of readers and writers. */
const WITHOUT_FOOTER = /^\/(?:read|create|rooms)(?:\/|$)/;

/** The links of the footer. */
const PAGES = [
  ["/about", "About"],
  ["/how-the-room-works", "How the room works"],
  ["/privacy", "Privacy"],
] as const;

/** The layout of every page: the bar with the navigation and the theme switch, `<main>`, the footer, and the room. */
export function Shell({
  user,
  theme,
  roomLink,
  answersLink,
  room,
  sourceUrl,
  children,
}: ShellProps) {
  const { pathname, search } = useLocation();
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
          <SearchForm />
          <div className={styles.end}>
            <nav className={styles.nav} aria-label="Main">
              <ul className={styles.navList}>
                <li>
                  <NavItem to="/home">Home</NavItem>
                </li>
                <li>
                  <NavItem to="/create">Create</NavItem>
                </li>
                <li>{roomLink}</li>
              </ul>
              {answersLink}
              {user ? (
                <NavItem to="/profile">Profile</NavItem>
              ) : (
                <NavItem to="/login">Sign in</NavItem>
              )}
            </nav>
            <ThemeSwitch theme={theme} returnTo={pathname + search} />
          </div>
        </div>
      </header>
      <main className={styles.page} id="page" tabIndex={-1} ref={main}>
        {children}
      </main>
      {WITHOUT_FOOTER.test(pathname) ? null : <Footer sourceUrl={sourceUrl} />}
      {room}
    </>
  );
}

/** A link in the header. Unlike Remix's `NavLink`, it doesn't mark a link with a hash as current. */
export function NavItem(props: Omit<LinkProps, "className"> & { to: string }) {
  const { pathname } = useLocation();
  const isCurrent = props.to === pathname;
  return (
    <Link {...props} className={styles.navLink} aria-current={isCurrent ? "page" : undefined} />
  );
}

/** A leaf that is also a pen nib, with an ember at its tip. */
export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <path
        className={styles.leaf}
        d="M26 3C13 4 5 11 5 20c0 3 1 5 2 7 1-9 7-15 14-18-6 4-10 10-11 18 9 1 17-7 16-24z"
      />
      <circle className={styles.ember} cx="8" cy="29" r="2" />
    </svg>
  );
}

/** The end of a page, with a link to the source code if this deployment names its address. */
function Footer({ sourceUrl }: { sourceUrl: string | undefined }) {
  return (
    <footer className={footer.footer}>
      <div className={footer.inner}>
        <span className={footer.brand}>
          <Logo />
          Inkglade
        </span>
        <ul className={footer.links}>
          {PAGES.map(([path, name]) => (
            <li key={path}>
              <Link className={footer.link} to={path}>
                {name}
              </Link>
            </li>
          ))}
          {sourceUrl ? (
            <li>
              <a className={footer.link} href={sourceUrl}>
                Source
              </a>
            </li>
          ) : null}
        </ul>
      </div>
    </footer>
  );
}

/** Shows at the top of the window that the next page is loading. The style sheet delays it by 200 ms. */
function LoadingBar() {
  const isLoading = useNavigation().state !== "idle";
  if (!isLoading) return null;
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <progress> can't be styled consistently
  return <div className={loadingBar.bar} role="progressbar" aria-label="Loading page" />;
}
