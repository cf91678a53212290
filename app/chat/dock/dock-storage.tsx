import { CREATE_PATH } from "#app/chat/room-address.ts";
import { getStorage } from "#app/site/storage.ts";
import { InlineScript } from "#app/ui/inline-script.tsx";

/**
 * Where the room is: on /create, or docked beside every other page. For each, the browser stores whether it is open.
 */
export const ROOM_PLACES = ["create", "dock"] as const;
export type RoomPlace = (typeof ROOM_PLACES)[number];

const STORAGE_KEYS: Record<RoomPlace, string> = {
  create: "inkglade.room.create",
  dock: "inkglade.room",
};

/** Runs before the first paint, so that the page leaves space for an open room. */
const SCRIPT = import.meta.env.SSR
  ? `try {
  document.documentElement.dataset.room = localStorage.getItem(
    location.pathname === "${CREATE_PATH}" ? "${STORAGE_KEYS.create}" : "${STORAGE_KEYS.dock}"
  ) || "";
} catch {}`
  : "";

export function RoomDockScript() {
  return <InlineScript code={SCRIPT} />;
}

/** Returns the state to store, and to set as `data-room`. Style sheets ignore `docked` in narrow windows. */
export function toRoomState(place: RoomPlace, isOpen: boolean): string {
  if (!isOpen) return "closed";
  return place === "create" ? "page" : "docked";
}

/** Returns whether the room is open. If nothing is stored, it is open only on /create. */
export function readIsOpen(place: RoomPlace): boolean {
  try {
    const value = getStorage()?.getItem(STORAGE_KEYS[place]) ?? null;
    return value === null ? place === "create" : value !== "closed";
  } catch {
    return place === "create";
  }
}

export function writeIsOpen(place: RoomPlace, isOpen: boolean): void {
  try {
    getStorage()?.setItem(STORAGE_KEYS[place], toRoomState(place, isOpen));
  } catch {
    // The storage is full. The choice is lost on reload.
  }
}
