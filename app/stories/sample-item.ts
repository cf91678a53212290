const TYPES = ["book", "quest"] as const;

export type SampleType = (typeof TYPES)[number];

/** An entry of the dashboard's own list. */
export interface SampleItem {
  id: number;
  title: string;
  description: string;
  type: SampleType;
  /** The address of its picture. */
  imgPath: string;
  /** `/read/{slug}` for a book, `/quest/{slug}` for a quest. */
  readLink: string;
}

/** An entry of the list, a book that is only in the list of books and so has no description, or what somebody published. */
export interface Finding extends Omit<SampleItem, "id"> {
  /** Of a published story. */
  author?: string;
}

/** Returns the type of that name, if there is one. */
export function findSampleType(name: unknown): SampleType | undefined {
  return TYPES.find((type) => type === name);
}
