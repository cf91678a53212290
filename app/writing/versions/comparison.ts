/** Words that both texts contain, or only the later text (`added`), or only the earlier text (`removed`). */
export interface Piece {
  kind: "unchanged" | "added" | "removed";
  text: string;
}

/** Lines with their changes, or the number of unchanged words that are left out. */
export type Passage = { pieces: Piece[] } | { unchangedWords: number };

/** The changes between two versions of a draft. */
export interface Comparison {
  /** The other fields that have changed, by name. */
  fields: { name: string; pieces: Piece[] }[];
  /** Empty when all words are the same; `null` when more has changed than can be compared. */
  text: Passage[] | null;
  /** Whether the texts differ only in spaces and line breaks. */
  isSpacingOnly: boolean;
}
