/** Each palette is the brand's green with a different hue. */
export const PALETTE_COUNT = 12;

const MOTIF_COUNT = 6;

/** Matches the stored cover of a story that uses one of the drawings. `firestore.rules` has the same expression. */
export const DRAWING = /^drawing:(\d{1,2})$/;

/** Returns the number of the drawing that was chosen as a cover; `undefined` for an image, and when none was chosen. */
export function readDrawing(cover: string): number | undefined {
  const [, number] = DRAWING.exec(cover) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns the numbers of the palette and the motif of a story's drawn cover. */
export function getDrawing(id: string, cover: string): { palette: number; motif: number } {
  const number = readDrawing(cover) ?? hashId(id);
  return {
    palette: number % PALETTE_COUNT,
    motif: Math.floor(number / PALETTE_COUNT) % MOTIF_COUNT,
  };
}

/** Returns the 32-bit FNV-1a hash of an id. */
function hashId(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of id) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  }
  return hash >>> 0;
}
