import { useSearchParams } from "@remix-run/react";
import { useSyncExternalStore } from "react";

import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { findSideTab } from "#app/writing/side-tabs.ts";

/** From this width on, the side panel is beside the editor. side-panel.module.css has the same width. */
const WIDE_MEDIA_QUERY = "(min-width: 992px)";

/** Returns the tab in the URL, and whether the room is visible, beside the editor or in its place. */
export function useSideTab() {
  const [params] = useSearchParams();
  const { isOpen } = useRoomDock();
  const isWide = useSyncExternalStore(subscribeToWidth, getIsWide, () => true);
  const tab = findSideTab(params);
  return { tab, isRoomShown: isWide ? isOpen && (tab ?? "room") === "room" : tab === "room" };
}

function subscribeToWidth(onChange: () => void) {
  const query = matchMedia(WIDE_MEDIA_QUERY);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

const getIsWide = () => matchMedia(WIDE_MEDIA_QUERY).matches;
