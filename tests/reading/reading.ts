import { loader } from "#app/routes/read.$id.tsx";
import { readPositions, type DevicePosition } from "#app/stories/positions/position-cookie.ts";
import type { ReadingPosition } from "#app/stories/positions/position.ts";
import type { TestApp } from "#tests/support/routes.ts";

export const ORCHARD = "the-lamplighters-orchard";

/** Loads a story like a client-side navigation, whose data includes the text. */
export async function open(app: TestApp, id: string, cookie?: string) {
  const outcome = await app.send(loader, `/read/${id}.data`, { params: { id }, cookie });
  return (outcome.data as { story: Record<string, unknown> | null }).story;
}

/** Returns a position in `ORCHARD` that was saved long ago. */
export function createPosition(changes: Partial<ReadingPosition> = {}): ReadingPosition {
  const where = { paragraph: "p-1", start: "That evening", offset: 3, number: 2, percent: 60 };
  return { story: ORCHARD, title: "Orchard", ...where, minutesLeft: 1, time: 1000, ...changes };
}

/** The ids of the text's paragraphs, in order. */
export async function listParagraphs(app: TestApp, id: string): Promise<string[]> {
  const story = await open(app, id);
  return [...String(story?.html).matchAll(/ id="(p-[^"]+)"/g)].map(([, id = ""]) => id);
}

/** Returns a cookie of positions, as a browser sends it. */
export function getCookie(positions: DevicePosition[]): string {
  const rows = positions.map(({ story, title, paragraph, start, owner, ...numbers }) => {
    const { offset, number, percent, minutesLeft, time } = numbers;
    const row = [story, title, paragraph, start, offset, number, percent, minutesLeft, time];
    return owner === undefined ? row : [...row, owner];
  });
  return `places=${encodeURIComponent(JSON.stringify(rows))}`;
}

/** Returns the positions in a cookie of positions, with or without its attributes. */
export function readDevice(cookie: string): DevicePosition[] {
  const [pair = ""] = cookie.split(";");
  return readPositions(decodeURIComponent(pair.slice("places=".length)));
}
