import * as z from "zod";

const bookSchema = z.object({
  // The specification names no type, so numbers are accepted too.
  id: z.union([z.string().min(1), z.number().transform(String)]),
  title: z.string().min(1),
  coverPhoto: z.string().catch(""),
});

/** The deployed list of books. */
export const bookListSchema = z.array(bookSchema);
