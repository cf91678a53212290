import { CREATE_PATH } from "#app/chat/room-address.ts";
import { getStorage } from "#app/site/storage.ts";
import { InlineScript } from "#app/ui/inline-script.tsx";

/** Where the room is: on /create, or beside all other pages. It is remembered for each whether it is open. */
export const PLACES = ["create", "dock"] as const;
export type Place = (typeof PLACES)[number];

const STORAGE_KEYS: Record<Place, string> = {
  create: "inkglade.room.create",
  dock: "inkglade.room",
};

/** Runs before the first paint, so that an open room's place beside the page is reserved. */
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

/** Returns what is stored, and set as `data-room`. Style sheets ignore `docked` in narrow windows. */
export function toStored(place: Place, isOpen: boolean): string {
  if (!isOpen) return "closed";
  return place === "create" ? "page" : "docked";
}

/** Returns whether the room is open; at first only on /create. */
export function readStored(place: Place): boolean {
  try {
    const value = getStorage()?.getItem(STORAGE_KEYS[place]) ?? null;
    return value === null ? place === "create" : value !== "closed";
  } catch {
    return place === "create";
  }
}

export function writeStored(place: Place, isOpen: boolean): void {
  try {
    getStorage()?.setItem(STORAGE_KEYS[place], toStored(place, isOpen));
  } catch {
    // The storage is full. The room is then not remembered.
  }
}
