import * as z from "zod";

import { PreciseDate } from "#app/firebase/precise-date.server.ts";

/** Increase it when imports cannot read the older files any more. */
export const FORMAT = 1;

const aboutSchema = z.object({
  app: z.literal("Inkglade"),
  format: z.int(),
});

/** What `account.json` says. */
export interface About {
  app: "Inkglade";
  format: typeof FORMAT;
  /** The number of the file, and of all files of the download, from 1. */
  file: number;
  files: number;
  account: object;
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

/** Whether `account.json` is from Inkglade; `format` if its format is another. */
export function checkAbout(text: string | undefined): "ok" | "other" | "format" {
  const about = aboutSchema.safeParse(readJson(text)).data;
  if (!about) return "other";
  return about.format === FORMAT ? "ok" : "format";
}

/** All names of times end so, and no other names. */
function reviveTime(name: string, value: unknown): unknown {
  const isTime = name.endsWith("At") && typeof value === "string";
  if (!isTime || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(value)) return value;
  const time = PreciseDate.fromTimestamp(value);
  return Number.isNaN(time.getTime()) ? value : time;
}
