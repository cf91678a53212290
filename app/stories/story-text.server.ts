import * as z from "zod";

import type { Fields } from "#app/firebase/firestore-types.ts";
import { MAX_PARTS } from "./story-parts.ts";

const headSchema = z.object({ parts: z.int() });
const partSchema = z.object({ text: z.string() });

/** Returns the path of a draft, version or story, followed by those of all parts that its text may have. */
export function getPathsWithText(path: string): string[] {
  return [path, ...Array.from({ length: MAX_PARTS }, (_, number) => `${path}/parts/${number}`)];
}

/**
 * Joins the documents at `getPathsWithText` into one with its text; `null` if the first does not exist.
 *
 * @throws {ZodError} when a part is missing
 */
export function joinText([head, ...parts]: (Fields | null)[]): (Fields & { text: string }) | null {
  if (!head) return null;
  const { parts: count } = headSchema.parse(head);
  const used = parts.slice(0, count);
  return { ...head, text: used.map((part) => partSchema.parse(part).text).join("") };
}
