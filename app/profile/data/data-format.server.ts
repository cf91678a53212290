import * as z from "zod";

import { PreciseDate } from "#app/firebase/firestore.server.ts";

/** Increase it when imports cannot read the older files any more. */
export const FORMAT = 1;

const aboutSchema = z.object({
  app: z.literal("Inkglade"),
  format: z.int(),
  // Older files do not have it.
  pictures: z.array(z.string()).catch([]),
});

/** What `account.json` says. */
export interface About {
  app: "Inkglade";
  format: typeof FORMAT;
  /** The number of the file, and of all files of the download, from 1. */
  file: number;
  files: number;
  account: object;
  /** The names of all pictures, also of those in other files of the download. */
  pictures: string[];
}

/** Returns JSON with an item of a list in each line. */
export function toJson(value: object): string {
  if (!Array.isArray(value)) return `${JSON.stringify(value, null, 2)}\n`;
  return `[\n${value.map((item) => JSON.stringify(item)).join(",\n")}\n]\n`;
}

/** Parses the result of `toJson`, with its times; `undefined` if it is not JSON. */
export function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "", reviveTime);
  } catch {
    return undefined;
  }
}

/** Parses `account.json`. Returns `other` if it is not from Inkglade; `format` if its format is another. */
export function readAbout(text: string | undefined): Pick<About, "pictures"> | "other" | "format" {
  const about = aboutSchema.safeParse(readJson(text)).data;
  if (!about) return "other";
  return about.format === FORMAT ? about : "format";
}

/** All names of times end so, and no other names. */
function reviveTime(name: string, value: unknown): unknown {
  const isTime = name.endsWith("At") && typeof value === "string";
  if (!isTime || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(value)) return value;
  const time = PreciseDate.fromTimestamp(value);
  return Number.isNaN(time.getTime()) ? value : time;
}
