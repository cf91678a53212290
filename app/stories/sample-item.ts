const TYPES = ["book", "quest"] as const;

export type SampleType = (typeof TYPES)[number];

/** An item of the dashboard's built-in list. */
export interface SampleItem {
  id: number;
  title: string;
  description: string;
  type: SampleType;
  /** The URL of an image. */
  imgPath: string;
  /** `/read/{slug}` for a book, `/quest/{slug}` for a quest. */
  readLink: string;
}

/** A sample item, a published story or an entry of the list of books. */
export interface SearchResult extends Omit<SampleItem, "id"> {
  /** Only published stories have one. */
  author?: string;
}

/** Returns the type with that name, or `undefined`. */
export function findSampleType(name: unknown): SampleType | undefined {
  return TYPES.find((type) => type === name);
}
