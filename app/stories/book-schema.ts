import * as z from "zod";

const bookSchema = z.object({
  // The specification names no type, so numbers are taken as well.
  id: z.union([z.string().min(1), z.number().transform(String)]),
  title: z.string().min(1),
  coverPhoto: z.string().catch(""),
});

/** The list of books as it is deployed. A cover that is missing can be drawn, an id or a title cannot. */
export const bookListSchema = z.array(bookSchema);
