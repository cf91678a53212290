/** Under this name the browser's history knows, of each page, how far its carousels were turned. */
const NAME = "turned";

/** Returns the item that a carousel was turned to when this page was left, if it was turned. */
export function findCarouselPosition(carousel: string): number | undefined {
  return readCarouselPositions()[carousel];
}

/** Keeps the item that a carousel is turned to, for when somebody comes back to this page. */
export function setCarouselPosition(carousel: string, item: number): void {
  const turned = readCarouselPositions();
  if ((turned[carousel] ?? 0) === item) return;
  history.replaceState({ ...history.state, [NAME]: { ...turned, [carousel]: item } }, "");
}

function readCarouselPositions(): Record<string, number> {
  const state: unknown = history.state;
  const turned: unknown = typeof state === "object" && state !== null && Reflect.get(state, NAME);
  if (typeof turned !== "object" || turned === null) return {};
  return Object.fromEntries(Object.entries(turned).filter(([, item]) => Number.isInteger(item)));
}
