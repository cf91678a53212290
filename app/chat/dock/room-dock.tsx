import { useLocation } from "@remix-run/react";
import {
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type RefObject,
} from "react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import { isComposing } from "#app/chat/panel/is-submit-key.ts";
import { CREATE_PATH } from "#app/chat/room-address.ts";
import { LoadingRoom } from "./loading-room.tsx";
import styles from "./room-dock.module.css";
import { useRoomDock } from "./use-room-dock.tsx";

/**
 * The room beside the page, or over it in narrow windows. Its code and messages are loaded when it opens. On /create the
 * page shows the room itself, in its side panel.
 */
export function RoomDock() {
  const { pathname, key } = useLocation();
  const { isOpen, isSheet, isInUrl, open, close, dock } = useRoomDock();
  const signInError = useGoogleError("room");
  const shownError = useRef<typeof signInError>(undefined);
  const isOnCreate = pathname === CREATE_PATH;
  useInertPage(dock, isSheet);

  useEffect(() => {
    const room = isOnCreate && isInUrl ? document.getElementById("room") : null;
    if (!room || room.contains(document.activeElement)) return;
    room.tabIndex = -1;
    room.focus({ preventScroll: true });
  }, [isOnCreate, isInUrl, key]);

  useEffect(() => {
    // `open` changes with each page, which must not open a room again that the user has closed.
    if (signInError && signInError !== shownError.current) open();
    shownError.current = signInError;
  }, [signInError, open]);

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && !event.defaultPrevented && !isComposing(event)) close();
  }

  return (
    <>
      {isSheet ? <div className={styles.backdrop} onClick={close} aria-hidden="true" /> : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape bubbles from what is focused inside */}
      <div
        ref={dock}
        className={styles.dock}
        hidden={isOnCreate}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- React Aria's menus would open behind a modal `<dialog>`
        role="dialog"
        aria-modal={isSheet}
        aria-label="The room"
        tabIndex={-1}
        onKeyDown={closeOnEscape}
      >
        {isOpen && !isOnCreate ? <LazyRoom /> : null}
      </div>
    </>
  );
}

/** Loads the room's code. After a failure it tries again when the browser is back online. */
function LazyRoom() {
  const [loaded, setLoaded] = useState<{ OpenRoom: ComponentType } | "failed" | null>(null);

  useEffect(() => {
    function load() {
      // An earlier attempt may fail after a later one has loaded it.
      import("./open-room.tsx").then(setLoaded, () => setLoaded((now) => now ?? "failed"));
    }

    if (!loaded) load();
    addEventListener("online", load);
    return () => removeEventListener("online", load);
  }, [loaded]);

  return loaded && loaded !== "failed" ? (
    <loaded.OpenRoom />
  ) : (
    <LoadingRoom hasFailed={loaded === "failed"} onRetry={() => setLoaded(null)} />
  );
}

/** Keeps the focus in the sheet. Announcements, and menus and dialogs that open later, are not affected. */
function useInertPage(dock: RefObject<HTMLElement>, isSheet: boolean) {
  useEffect(() => {
    if (!isSheet) return undefined;
    const others = [...(dock.current?.parentElement?.children ?? [])].filter(
      (element): element is HTMLElement =>
        element instanceof HTMLElement &&
        element !== dock.current &&
        !element.inert &&
        !element.hasAttribute("aria-live"),
    );
    for (const element of others) element.inert = true;
    return () => {
      for (const element of others) element.inert = false;
    };
  }, [dock, isSheet]);
}
