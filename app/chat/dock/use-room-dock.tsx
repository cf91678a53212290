import { useLocation, useNavigate, useNavigationType, type Location } from "@remix-run/react";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";

import type { MessageResult, RoomData, UnsentMessage } from "#app/chat/message.ts";
import { CREATE_PATH } from "#app/chat/room-address.ts";
import type { PeopleCount } from "#app/chat/room-summary.ts";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import { useMediaQuery } from "#app/ui/use-media-query.ts";
import { useReplaceAddress } from "#app/ui/use-replace-address.ts";
import {
  getWideQuery,
  ROOM_PANELS,
  readIsOpen,
  toRoomState,
  writeIsOpen,
  type RoomPanel,
} from "./room-storage.tsx";

/** The hashes of links to the room, or a message in it. They open it. */
const ROOM_HASH = /^#(?:room$|newest$|earlier$|m-)/;

/** The state of the history entry that opening the room adds. */
interface RoomEntry {
  /**
   * The key of the entry in which the room was opened; `null` if its address has a hash. Going back to it would scroll the
   * page.
   */
  openedFrom: string | null;
}

/** The room as a page has loaded it. */
export interface PageRoom {
  room: RoomData;
  /** The signed-in user that it was loaded for. */
  uid: string | undefined;
  /** What the page's action returned for a message that was submitted without scripts. */
  result?: MessageResult | UnsentMessage | undefined;
  /** What was typed before the page was hydrated. */
  typed?: { text: string; isFocused: boolean } | undefined;
}

/** The room beside the page; on /create the side panel, in which the room is a tab. */
export interface RoomDockState {
  isOpen: boolean;
  /** Whether the room covers the page, in a narrow window, instead of being beside it. */
  isSheet: boolean;
  /** Whether the URL leads to the room. */
  isInUrl: boolean;
  open: () => void;
  close: () => void;
  /** The room as the page has loaded it; `null` on pages without it. */
  page: PageRoom | null;
  setPage: (page: PageRoom | null) => void;
  /** The people in the room, as the open room counts them; `null` while unknown. */
  peopleCount: PeopleCount | null;
  setPeopleCount: (count: PeopleCount | null) => void;
  /** How many answers and chapters the user has not read, as far as the page knows. */
  answerCount: number;
  setAnswerCount: (count: number) => void;
  /** The element of the room beside the page. */
  dock: RefObject<HTMLDivElement>;
}

const noop = () => undefined;

/** Used on error pages and in tests of single components. */
const NO_DOCK: RoomDockState = {
  isOpen: true,
  isSheet: false,
  isInUrl: false,
  open: noop,
  close: noop,
  page: null,
  setPage: noop,
  peopleCount: null,
  setPeopleCount: noop,
  answerCount: 0,
  setAnswerCount: noop,
  dock: { current: null },
};

const RoomDockContext = createContext(NO_DOCK);

export function useRoomDock(): RoomDockState {
  return useContext(RoomDockContext);
}

/**
 * Provides the state of the room's panel. Where the window is wide enough for the page, the panel is docked beside it,
 * stays open from page to page, and the browser remembers whether it is open. Elsewhere it is a sheet over the page, which
 * is open while the URL has the room's hash. Opening it adds a history entry, so that Back closes it.
 */
export function RoomDockProvider({ children }: { children: ReactNode }) {
  const location: Location<unknown> = useLocation();
  const { pathname, search, hash, key, state } = location;
  const navigate = useNavigate();
  const isPop = useNavigationType() === "POP";
  const replaceAddress = useReplaceAddress();
  const isHydrated = useHydrated();
  const isWide = useMediaQuery(getWideQuery(pathname), false);
  const panel = pathname === CREATE_PATH ? "create" : "dock";
  const [stored, setStored] = useState<Partial<Record<RoomPanel, boolean>>>({});
  const [page, setPage] = useState<PageRoom | null>(null);
  const [peopleCount, setPeopleCount] = useState<PeopleCount | null>(null);
  const [answerCount, setAnswerCount] = useState(0);
  const element = useRef<HTMLDivElement>(null);
  /** What had the focus when the room was opened. */
  const opener = useRef<Element | null>(null);
  const isInUrl = isHydrated && isRoomHash(hash);
  const isShown = stored[panel] ?? panel === "create";
  /** Whether the browser remembers if it is open. */
  const isBeside = panel === "create" || isWide;
  const isOpen = isBeside ? isShown : isInUrl;
  const isSheet = isOpen && !isBeside;

  const store = useCallback((where: RoomPanel, isOpenThere: boolean) => {
    setStored((before) => ({ ...before, [where]: isOpenThere }));
  }, []);

  useBrowserLayoutEffect(() => {
    setStored({ create: readIsOpen("create"), dock: readIsOpen("dock") });
  }, []);

  const isStoredRead = stored.dock !== undefined;
  const [visited, setVisited] = useState<Location<unknown>>();
  if (isStoredRead && isHydrated && visited?.key !== key) {
    setVisited(location);
    const isSamePage =
      visited !== undefined && visited.pathname + visited.search === pathname + search;
    const isBack = isPop && isSamePage && !isInUrl && isRoomEntry(visited.state);
    // The room may have been closed since it was opened in this entry.
    const isFollowed = isInUrl && (isSamePage || !(isPop && isRoomEntry(state)));
    if (isBeside && (isBack || isFollowed)) setStored({ ...stored, [panel]: isFollowed });
  }

  useEffect(() => {
    for (const where of ROOM_PANELS) {
      const isOpenThere = stored[where];
      if (isOpenThere !== undefined && isOpenThere !== readIsOpen(where))
        writeIsOpen(where, isOpenThere);
    }
  }, [stored]);

  useBrowserLayoutEffect(() => {
    // Keeps the attribute that the script before the first paint has set.
    if (!isStoredRead) return;
    document.documentElement.dataset.room = isSheet ? "sheet" : toRoomState(panel, isOpen);
  }, [isStoredRead, panel, isOpen, isSheet]);

  const open = useCallback(() => {
    opener.current = findFocused();
    if (isBeside) store(panel, true);
    if (panel === "dock" && !isRoomHash(hash)) {
      navigate(
        { pathname, search, hash: "#room" },
        {
          state: { openedFrom: hash ? null : key } satisfies RoomEntry,
          preventScrollReset: true,
        },
      );
    }
  }, [panel, isBeside, store, navigate, pathname, search, hash, key]);

  const close = useCallback(() => {
    if (isBeside) store(panel, false);
    // A room that is closed at once has changed the browser's address, but `useLocation` may not have it yet.
    if (!isRoomHash(window.location.hash)) return;
    const state = readEntryState();
    if (isRoomEntry(state) && state.openedFrom) navigate(-1);
    else replaceAddress(pathname + search);
  }, [panel, isBeside, store, navigate, replaceAddress, pathname, search]);

  const isOpenBeside = isOpen && panel === "dock";
  const wasOpen = useRef(false);
  useEffect(() => {
    // A room that was open when the page was loaded does not get the focus.
    if (isOpenBeside && !wasOpen.current && (opener.current || isInUrl)) {
      // A link to the room has opened it.
      opener.current ??= findFocused();
      element.current?.focus({ preventScroll: true });
    } else if (wasOpen.current && !isOpenBeside) {
      // If the focus is not lost, a new page has already moved it.
      const link = document.querySelector("header a[aria-expanded]");
      const from = opener.current?.isConnected ? opener.current : link;
      opener.current = null;
      if (isFocusLost(element.current) && from instanceof HTMLElement)
        from.focus({ preventScroll: true });
    }
    wasOpen.current = isOpenBeside;
  }, [isOpenBeside, isInUrl]);

  const dock = useMemo(
    () => ({
      isOpen,
      isSheet,
      isInUrl,
      open,
      close,
      page,
      setPage,
      peopleCount,
      setPeopleCount,
      answerCount,
      setAnswerCount,
      dock: element,
    }),
    [isOpen, isSheet, isInUrl, open, close, page, peopleCount, answerCount],
  );
  return <RoomDockContext.Provider value={dock}>{children}</RoomDockContext.Provider>;
}

/** Whether a URL with this hash leads to the room. */
export function isRoomHash(hash: string): boolean {
  return ROOM_HASH.test(hash);
}

/**
 * Returns the key for `ScrollRestoration`. With it, the page stays where it is when Back closes the room beside it, unless
 * it was opened at an address with a hash.
 */
export function getScrollKey({ key, state }: Location<unknown>): string | null {
  return isRoomEntry(state) ? state.openedFrom : key;
}

/** Returns the state that the current history entry was given, which React Router stores as `usr`. */
function readEntryState(): unknown {
  const state: { usr?: unknown } | null = window.history.state;
  return state?.usr;
}

function isRoomEntry(state: unknown): state is RoomEntry {
  return typeof state === "object" && state !== null && "openedFrom" in state;
}

function findFocused(): Element | null {
  const { activeElement, body } = document;
  return activeElement === body ? null : activeElement;
}

/** Whether the focus was in an element that has just been hidden. Browsers move the focus away only later. */
function isFocusLost(hidden: HTMLElement | null): boolean {
  const focused = findFocused();
  return !focused || hidden?.contains(focused) === true;
}
