/** A story that can be read. */
export interface Story {
  /** Its address, below `/read/`. */
  id: string;
  title: string;
  author: string;
  /** One or two sentences; may be empty. */
  description: string;
  tags: string[];
  /** The address of a picture; empty when there is none, and one is to be drawn. */
  cover: string;
  /** The stored truth. HTML and plain text are made from it. */
  markdown: string;
  /** Whether only the beginning of the story is here. */
  isOpening: boolean;
}
