import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useState, type RefObject } from "react";

import { useGoogleError } from "#app/accounts/google/use-google-error.ts";
import type { RoomData } from "#app/chat/message.ts";
import { ChatPanel } from "#app/chat/panel/chat-panel.tsx";
import { fetchJson } from "#app/http/fetch-json.ts";
import { useUser } from "#app/session/user.ts";
import { LoadingRoom } from "./loading-room.tsx";
import { useRoomDock, type PageRoom } from "./use-room-dock.tsx";

/** The room in the dock, with the messages of the page, or else with those that it fetches. */
export function OpenRoom() {
  const { page, setPage, close, dock, isSheet } = useRoomDock();
  const { pathname, search } = useLocation();
  const user = useUser();
  const signInError = useGoogleError("room");
  const { room, reload, hasFailed } = useRoom(user?.uid);
  useVisualViewport(dock, isSheet);

  useEffect(() => {
    // The panel has the text now. When it is opened again, the text would replace what has been typed since.
    if (page?.typed) setPage({ ...page, typed: undefined });
  }, [page, setPage]);

  if (!room) return <LoadingRoom hasFailed={hasFailed} onRetry={reload} />;
  return (
    <ChatPanel
      room={room}
      user={user}
      path={pathname + search}
      result={page?.result}
      typed={page?.typed}
      signInError={signInError}
      onReload={reload}
      close={{ label: "Close the room", onClose: close }}
    />
  );
}

/**
 * Returns the page's room; on other pages the last one, or else one that is fetched for the dock. Once another user is signed
 * in, it says nothing about the one that it was loaded for.
 */
function useRoom(uid: string | undefined) {
  const { page } = useRoomDock();
  const current: UserRoom | null = page;
  const [last, setLast] = useState(current);
  const [hasFailed, setHasFailed] = useState(false);
  // An earlier page of messages, and those about a story, are shown only at their own address.
  const shown = current ?? (last?.room.isEarlier || last?.room.subject ? null : last);
  const isMissing = shown === null;
  const isOfOther = shown !== null && shown.uid !== uid;
  const loaded = shown?.room ?? null;
  const room = useMemo(
    () => (loaded && isOfOther ? removeUser(loaded) : loaded),
    [loaded, isOfOther],
  );

  if (current && current.room !== last?.room) setLast(current);

  const fetchAgain = useCallback(async () => {
    const fetched = await fetchRoom();
    setHasFailed(!fetched);
    if (fetched) setLast({ room: fetched, uid });
  }, [uid]);

  useEffect(() => {
    if (!isMissing) return undefined;
    const load = () => void fetchAgain();
    load();
    addEventListener("online", load);
    return () => removeEventListener("online", load);
  }, [isMissing, fetchAgain]);

  const isOfPage = current !== null;
  const reload = useCallback(() => {
    if (!isOfPage) void fetchAgain();
  }, [isOfPage, fetchAgain]);

  return { room, reload, hasFailed: isMissing && hasFailed };
}

type UserRoom = Pick<PageRoom, "room" | "uid">;

/** Removes what a room says about its user. The panel loads the stories and the hidden people of the next one. */
function removeUser(room: RoomData): RoomData {
  return { ...room, stories: {}, hiddenUids: [], mute: null, done: null };
}

/** Fits the sheet into the part of the window that an on-screen keyboard does not cover. */
function useVisualViewport(dock: RefObject<HTMLElement>, isSheet: boolean) {
  useEffect(() => {
    const { visualViewport } = window;
    if (!isSheet || !visualViewport) return undefined;
    const controller = new AbortController();

    function update() {
      // A zoomed page has a smaller viewport too.
      if (!visualViewport || visualViewport.scale !== 1) return;
      dock.current?.style.setProperty("--sheet-height", `${visualViewport.height}px`);
      dock.current?.style.setProperty("--sheet-top", `${visualViewport.offsetTop}px`);
    }

    update();
    const { signal } = controller;
    visualViewport.addEventListener("resize", update, { signal });
    visualViewport.addEventListener("scroll", update, { signal });
    return () => controller.abort();
  }, [dock, isSheet]);
}

/** Fetches the newest messages, on a page that has not loaded them. Returns `null` if the server can't be reached. */
function fetchRoom(): Promise<RoomData | null> {
  return fetchJson("/rooms/general", (room) => (isRoom(room) ? room : null));
}

function isRoom(room: object): room is RoomData {
  return "feed" in room && "firebase" in room;
}
