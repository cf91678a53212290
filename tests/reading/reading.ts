import { loader } from "#app/routes/read.$id.tsx";
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
