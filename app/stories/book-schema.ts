import * as z from "zod";

import type { Book } from "./book.ts";

const bookSchema = z
  .object({
    // The specification names no type, so numbers are accepted too.
    id: z.union([z.string().min(1), z.number().transform(String)]),
    title: z.string().min(1),
    coverPhoto: z.string().catch(""),
  })
  .transform(({ coverPhoto: cover, ...book }): Book => ({ ...book, cover }));

/** The deployed list of books. */
export const bookListSchema = z.array(bookSchema);
