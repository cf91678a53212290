/** The key of the history entry's state that maps each carousel of the page to its first visible item. */
const STATE_KEY = "carousels";

/** Returns the first visible item that was stored with this history entry, if any. */
export function findCarouselPosition(carousel: string): number | undefined {
  return readCarouselPositions()[carousel];
}

/** Stores the first visible item with this history entry, so that going back to the page restores it. */
export function setCarouselPosition(carousel: string, item: number): void {
  const positions = readCarouselPositions();
  if ((positions[carousel] ?? 0) === item) return;
  const state = { ...history.state, [STATE_KEY]: { ...positions, [carousel]: item } };
  history.replaceState(state, "");
}

function readCarouselPositions(): Record<string, number> {
  const state: unknown = history.state;
  const positions: unknown =
    typeof state === "object" && state !== null && Reflect.get(state, STATE_KEY);
  if (typeof positions !== "object" || positions === null) return {};
  return Object.fromEntries(Object.entries(positions).filter(([, item]) => Number.isInteger(item)));
}
