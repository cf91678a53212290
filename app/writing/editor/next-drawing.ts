import { readDrawing } from "#app/stories/dashboard/drawing.ts";

/** Each of 6 motifs in each of 12 palettes. */
const DRAWING_COUNT = 72;

/** Has no divisor in common with the count, so that every drawing is shown before one repeats. */
const STEP = 13;

/** Returns the cover with the drawing after this one, which differs in colour and motif. */
export function toNextDrawing(cover: string): string {
  const number = readDrawing(cover) ?? Math.floor(Math.random() * DRAWING_COUNT);
  return `drawing:${(number + STEP) % DRAWING_COUNT}`;
}
