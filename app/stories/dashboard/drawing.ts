/** How many drawings there are for covers: each motif in each palette. */
const DRAWING_COUNT = 72;

/** A cover that is one of the drawings, as stories store it. `firestore.rules` has the same expression. */
export const DRAWING = /^drawing:(\d{1,2})$/;

/** Returns the number of the drawing that a story's cover is; `undefined` for images and covers that nobody has chosen. */
export function readDrawing(cover: string): number | undefined {
  const [, number] = DRAWING.exec(cover) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns the cover with the drawing after this one. It differs in colour and motif. */
export function toNextDrawing(cover: string): string {
  const number = readDrawing(cover) ?? Math.floor(Math.random() * DRAWING_COUNT);
  // Has no divisor in common with the count, so every drawing comes before one comes again.
  return `drawing:${(number + 13) % DRAWING_COUNT}`;
}
