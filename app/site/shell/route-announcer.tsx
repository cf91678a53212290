import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";

import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

export interface RouteAnnouncerProps {
  /** Contains the page. Gets the focus if the page has no heading. */
  main: RefObject<HTMLElement>;
}

/**
 * Does after a client-side navigation what browsers do after a full page load: announces the title and moves the focus
 * to the start of the page. If only the query changes, as after saving or choosing a tab, the focus stays unless its
 * element is gone.
 */
export function RouteAnnouncer({ main }: RouteAnnouncerProps) {
  const { pathname, search, hash } = useLocation();
  const [title, setTitle] = useState("");
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
    if (isNewPage || from.title !== document.title) setTitle(document.title);
    if (isNewPage ? !hasFocusWithin(main.current) : isFocusLost()) moveFocus(main.current, hash);
  }, [pathname, search, hash, main]);

  return (
    <VisuallyHidden aria-live="polite" aria-atomic="true">
      {title}
    </VisuallyHidden>
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
