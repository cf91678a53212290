import { useLocation } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";

import { announce, Announcer } from "#app/ui/announcer.tsx";

export interface RouteAnnouncerProps {
  /** Contains the page. Gets the focus if the page has no heading. */
  main: RefObject<HTMLElement>;
}

/**
 * Does after a client-side navigation what browsers do after a full page load: announces the title and moves the focus
 * to the start of the page. A heading with the focus is read out, so the same title is not announced. If only the query
 * changes, as after saving or choosing a tab, the focus stays unless its element is gone.
 */
export function RouteAnnouncer({ main }: RouteAnnouncerProps) {
  const { pathname, search, hash } = useLocation();
  const lastPage = useRef({ pathname, search, title: "" });

  useEffect(() => {
    // The browser announces the first page itself.
    lastPage.current.title ||= document.title;
  }, []);

  useEffect(() => {
    const from = lastPage.current;
    if (from.pathname === pathname && from.search === search) return;
    lastPage.current = { pathname, search, title: document.title };
    const isNewPage = from.pathname !== pathname;
    if (isNewPage ? !hasFocusWithin(main.current) : isFocusLost()) moveFocus(main.current, hash);
    const isNewTitle = isNewPage || from.title !== document.title;
    if (isNewTitle && !isTitleFocused()) announce(document.title);
  }, [pathname, search, hash, main]);

  return <Announcer />;
}

/** Whether the focused heading says what the title does, besides the name of the site. */
function isTitleFocused(): boolean {
  const { activeElement, title } = document;
  return (
    activeElement?.matches("h1") === true && title.startsWith(`${activeElement.textContent} · `)
  );
}

/** Whether the page has set the focus itself, for example to its first field or the element in the URL's hash. */
function hasFocusWithin(main: HTMLElement | null): boolean {
  return Boolean(main && main !== document.activeElement && main.contains(document.activeElement));
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Moves the focus without scrolling, because Remix restores or resets the scroll position. */
function moveFocus(main: HTMLElement | null, hash: string): void {
  const anchor = hash ? document.getElementById(decode(hash.slice(1))) : null;
  const target = anchor ?? main?.querySelector<HTMLElement>("h1") ?? main;
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
