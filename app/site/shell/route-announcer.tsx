import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";

import styles from "./page-change.module.css";

export interface RouteAnnouncerProps {
  /** Holds the page, and takes the focus where the page has no heading. */
  main: RefObject<HTMLElement>;
}

/**
 * Does for a page that scripts put in the place of another what a browser does for one that it loads: its title is
 * announced, and the focus is where it begins. Another place of the same page, as after a press of "Save" or a tab, keeps
 * the focus, as long as what holds it is there.
 */
export function RouteAnnouncer({ main }: RouteAnnouncerProps) {
  const { pathname, search, hash } = useLocation();
  const [title, setTitle] = useState("");
  const last = useRef({ pathname, search, title: "" });

  useEffect(() => {
    // The first page is the browser's.
    last.current.title ||= document.title;
  }, []);

  useEffect(() => {
    const from = last.current;
    if (from.pathname === pathname && from.search === search) return;
    last.current = { pathname, search, title: document.title };
    const isOther = from.pathname !== pathname;
    if (isOther || from.title !== document.title) setTitle(document.title);
    if (isOther ? !hasFocusWithin(main.current) : isFocusLost()) moveFocus(main.current, hash);
  }, [pathname, search, hash, main]);

  return (
    <div className={styles.title} aria-live="polite" aria-atomic="true">
      {title}
    </div>
  );
}

/** The new page may have placed it itself: in the first field, on the passage that the address names. */
function hasFocusWithin(main: HTMLElement | null): boolean {
  return Boolean(main && main !== document.activeElement && main.contains(document.activeElement));
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Scrolling is Remix's: to the top, to the place the address names, or to where one was. */
function moveFocus(main: HTMLElement | null, hash: string): void {
  const named = hash ? document.getElementById(decode(hash.slice(1))) : null;
  const target = named ?? main?.querySelector<HTMLElement>("h1") ?? main;
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
