import { CREATE_PATH, ROOM_ID } from "#app/chat/room-address.ts";
import { IS_SCRIPTING } from "#app/site/page-scripts.tsx";
import { readItem, writeItem } from "#app/site/storage.ts";
import { InlineScript } from "#app/ui/inline-script.tsx";

/**
 * The panels that show the room: the side panel of /create, and the dock beside every other page. For each, the browser
 * stores whether it is open.
 */
export const ROOM_PANELS = ["create", "dock"] as const;
export type RoomPanel = (typeof ROOM_PANELS)[number];

const STORAGE_KEYS: Record<RoomPanel, string> = {
  create: "inkglade.room.create",
  dock: "inkglade.room",
};

/** The media queries of windows in which the room is beside the page: most pages, and those of stories. */
const WIDE = "(min-width: 1200px)";
const WIDE_FOR_STORY = "(min-width: 960px)";
const STORY_PATH_PREFIX = "/read/";

export function getWideQuery(pathname: string): string {
  return pathname.startsWith(STORY_PATH_PREFIX) ? WIDE_FOR_STORY : WIDE;
}

/** Runs before the first paint, so that the page leaves space for an open room. */
const SCRIPT = import.meta.env.SSR
  ? `try {
  if (${IS_SCRIPTING}) document.documentElement.dataset.room = (location.pathname === "${CREATE_PATH}"
    ? localStorage.getItem("${STORAGE_KEYS.create}")
    : matchMedia(location.pathname.startsWith("${STORY_PATH_PREFIX}") ? "${WIDE_FOR_STORY}" : "${WIDE}").matches &&
      localStorage.getItem("${STORAGE_KEYS.dock}")
  ) || "";
} catch {}`
  : "";

export function RoomDockScript() {
  return <InlineScript code={SCRIPT} />;
}

/** Returns the state to store, and to set as `data-room`. */
export function toRoomState(panel: RoomPanel, isOpen: boolean): string {
  if (!isOpen) return "closed";
  return panel === "create" ? "page" : "docked";
}

/** Returns whether the room is open. If nothing is stored, it is open only on /create. */
export function readIsOpen(panel: RoomPanel): boolean {
  const value = readItem(STORAGE_KEYS[panel]);
  return value ? value !== "closed" : panel === "create";
}

export function writeIsOpen(panel: RoomPanel, isOpen: boolean): void {
  writeItem(STORAGE_KEYS[panel], toRoomState(panel, isOpen));
}

const LAST_SEEN_KEY = `inkglade.last-seen.${ROOM_ID}`;

/**
 * Returns the time of the newest message that this device has shown, in milliseconds since the Unix epoch; `null` if it
 * has never shown the room.
 */
export function getLastSeen(): number | null {
  const time = Number(readItem(LAST_SEEN_KEY) ?? NaN);
  return Number.isFinite(time) ? time : null;
}

/**
 * Saves the time of the newest message that this device has shown. Never moves back, because another tab may have shown
 * later messages.
 */
export function setLastSeen(time: number): void {
  if (time > (getLastSeen() ?? 0)) writeItem(LAST_SEEN_KEY, String(time));
}
