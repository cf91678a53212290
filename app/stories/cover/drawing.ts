/** Matches the stored cover of a story that uses one of the drawings. `firestore.rules` has the same expression. */
export const DRAWING = /^drawing:(\d{1,2})$/;

/** Returns the number of the drawing that was chosen as a cover; `undefined` for an image, and when none was chosen. */
export function readDrawing(cover: string): number | undefined {
  const [, number] = DRAWING.exec(cover) ?? [];
  return number === undefined ? undefined : Number(number);
}
