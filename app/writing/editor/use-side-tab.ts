import { useSearchParams } from "@remix-run/react";

import { useRoomDock } from "#app/chat/dock/use-room-dock.tsx";
import { useMediaQuery } from "#app/ui/use-media-query.ts";
import { findSideTab } from "#app/writing/side-tabs.ts";

/** From this width on, the side panel is beside the editor. side-panel.module.css has the same width. */
const WIDE_MEDIA_QUERY = "(min-width: 960px)";

/** Returns the tab in the URL, and whether the room is visible, beside the editor or in its place. */
export function useSideTab() {
  const [params] = useSearchParams();
  const { isOpen } = useRoomDock();
  const isWide = useMediaQuery(WIDE_MEDIA_QUERY, true);
  const tab = findSideTab(params);
  return { tab, isRoomShown: isWide ? isOpen && (tab ?? "room") === "room" : tab === "room" };
}
