import type { ImportReport } from "#app/profile/profile-view.ts";
import { truncate } from "#app/ui/truncate.ts";
import type { FileContent } from "./import-file.server.ts";

/** What an import has done. */
export interface ImportCounts {
  drafts: number;
  versions: number;
  positions: number;
  saved: number;
  following: number;
  hidden: number;
  hiddenItems: number;
  pictures: number;
  /** How many things the account had already. */
  existing: number;
  /** What a full list has no room for, in words. */
  full: string[];
  /** The names of files that are not valid, or that the database did not accept. */
  failed: string[];
  isUnfinished: boolean;
}

const NOUNS = {
  drafts: ["draft", "drafts"],
  versions: ["version", "versions"],
  positions: ["reading position", "reading positions"],
  saved: ["saved story", "saved stories"],
  following: ["followed writer", "followed writers"],
  hidden: ["hidden person", "hidden people"],
  pictures: ["picture", "pictures"],
  hiddenItems: ["hidden story, tag or writer", "hidden stories, tags or writers"],
} as const;

const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 80;

/** Says what was imported and what was not. */
export function describeImport(counts: ImportCounts, { hasStories }: FileContent): ImportReport {
  const { existing, full, failed, isUnfinished } = counts;
  const kinds = Object.keys(NOUNS) as (keyof typeof NOUNS)[]; // the keys of a constant
  const done = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${NOUNS[kind][counts[kind] === 1 ? 0 : 1]}`);
  const names = [...new Set(failed)];
  const shown = names.slice(0, MAX_NAMES).map((name) => truncate(name, MAX_NAME_LENGTH));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  const wasThere =
    existing === 1
      ? "1 was here already, and stays as it is."
      : `${existing} were here already, and stay as they are.`;
  return {
    message: done.length > 0 ? `Imported: ${done.join(", ")}.` : "Nothing new was imported.",
    details: [
      ...(isUnfinished ? ["There is more. Import the same file again to continue."] : []),
      ...(existing > 0 ? [wasThere] : []),
      ...full.map((text) => `Not imported: ${text}.`),
      ...(names.length > 0
        ? [`Not imported, because we can't read it: ${shown.join(", ")}${more}.`]
        : []),
      ...(hasStories
        ? ["Your stories come back as drafts. Publish them again when you like."]
        : []),
      "Messages and answers stay in the file. Nothing is posted again.",
    ],
    isUnfinished,
  };
}
