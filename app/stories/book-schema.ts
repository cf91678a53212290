import * as z from "zod";

const bookSchema = z.object({
  // The specification names no type, so numbers are accepted too.
  id: z.union([z.string().min(1), z.number().transform(String)]),
  title: z.string().min(1),
  coverPhoto: z.string().catch(""),
});

/** The list of books as it is deployed. Books without a cover get a drawn one. */
export const bookListSchema = z.array(bookSchema);
