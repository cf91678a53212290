/** A stretch of words that both texts have, or only the later one, or only the earlier one. */
export interface Piece {
  kind: "kept" | "added" | "removed";
  text: string;
}

/** Some lines with what changed in them, or the number of words that are left out because nothing did. */
export type Passage = { pieces: Piece[] } | { keptWords: number };

/** What became of a content. */
export interface Comparison {
  /** Whatever else than the text has changed, by the name of its field. */
  fields: { name: string; pieces: Piece[] }[];
  /** Empty when all words are the same; `null` when more has changed than can be compared. */
  text: Passage[] | null;
  /** Whether the texts differ in their spaces and line breaks alone. */
  isSpacingOnly: boolean;
}
