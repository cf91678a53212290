import { getAnswersPath } from "#app/chat/answers/answer.ts";
import { getHiddenPath } from "#app/chat/hidden.ts";
import { MESSAGES_PATH } from "#app/chat/room-address.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { getRateRecordsPath } from "#app/session/rate-record.server.ts";
import { getSessionsPath } from "#app/session/session-record-schema.ts";
import { getSharesPath } from "#app/stories/counts/counts-schema.ts";
import { readFollowing, readHiddenItems, readSaved } from "#app/stories/library/library.server.ts";
import { FOLLOWING_LIST_ID, HIDDEN_LIST_ID, SAVED_LIST_ID } from "#app/stories/library/library.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";
import { readPositionFields } from "#app/stories/positions/positions.server.ts";
import { getDraftsPath, toLine } from "#app/writing/draft.ts";

/** The fields of a stored document, and its id. */
export type Item = Fields & { id: string };

/** A kind of data that is stored for a user. */
type UserData = {
  /** Returns the path of its collection below `users/{uid}`. */
  getPath?: (uid: string) => string;
  /** The path of a collection with documents of all users, each with a `uid`. */
  sharedPath?: string;
  /** Whether the documents have texts, which are files of their own. @default false */
  hasTexts?: boolean;
  /** Returns a page of documents as Markdown. @default only JSON */
  describe?: (items: readonly Item[]) => string;
  /** Whether the deletion of an account has a step of its own for it, or else deletes each document. @default false */
  hasDeletionStep?: boolean;
} & (
  | {
      /** Its folder in the ZIP file that users download. */
      folder: string;
      /** What the README in that file says about it. */
      about: string;
    }
  | { folder: null; about?: never }
);

/**
 * What is stored for a user, in the order of the download. From this list follow what is downloaded and deleted, and the
 * README in the file. The sentences on the Data tab and the Privacy page name the same things in their own words.
 */
export const USER_DATA: readonly UserData[] = [
  {
    folder: "drafts",
    about: "a folder for each draft, with its earlier versions",
    getPath: getDraftsPath,
    hasTexts: true,
    hasDeletionStep: true,
  },
  {
    folder: "stories",
    about: "your stories as they are published",
    sharedPath: "stories",
    hasTexts: true,
  },
  {
    folder: "library",
    about:
      "your reading positions, saved stories, the writers you follow, and what you've hidden from lists",
    getPath: getPositionsPath,
    describe: describeLibrary,
  },
  {
    folder: "pictures",
    about: "the pictures that you've uploaded; texts refer to them by their names",
  },
  {
    folder: "messages",
    about: "what you wrote in the room",
    sharedPath: MESSAGES_PATH,
    describe: describeMessages,
  },
  {
    folder: "answers",
    about: "which messages answered you, without their words",
    getPath: getAnswersPath,
    describe: describeAnswers,
  },
  { folder: "hidden-people", about: "the people you've hidden", getPath: getHiddenPath },
  {
    folder: "counted-stories",
    about: "the stories that count you as a reader",
    getPath: getSharesPath,
    hasDeletionStep: true,
  },
  { folder: null, getPath: getRateRecordsPath, hasDeletionStep: true },
  { folder: null, getPath: getSessionsPath, hasDeletionStep: true },
];

function describeLibrary(items: readonly Item[]): string {
  const lists = new Map(items.map((item) => [item.id, item]));
  const positions = items.flatMap(({ id, ...fields }) => readPositionFields(id, fields) ?? []);
  const saved = readSaved(omitId(lists.get(SAVED_LIST_ID)));
  const following = readFollowing(omitId(lists.get(FOLLOWING_LIST_ID)));
  const hidden = readHiddenItems(omitId(lists.get(HIDDEN_LIST_ID)));
  const sections = {
    "Reading positions": positions.map(
      ({ story, title, percent }) => `${toLine(title)}, ${percent}%: /read/${story}`,
    ),
    "Saved stories": saved.map(
      ({ id, title, author }) => `${toLine(title)} by ${toLine(author)}: /read/${id}`,
    ),
    "Writers you follow": following.map(({ name }) => toLine(name)),
    "Hidden from your lists": hidden.map(({ kind, name }) => `${kind}: ${toLine(name)}`),
  };
  return Object.entries(sections)
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) =>
      [`## ${heading}`, "", ...lines.map((line) => `- ${line}`)].join("\n"),
    )
    .join("\n\n");
}

function omitId(item: Item | undefined): Fields | undefined {
  if (!item) return undefined;
  const { id: _, ...fields } = item;
  return fields;
}

function describeMessages(messages: readonly Item[]): string {
  return sortByTime(messages, "createdAt")
    .map(
      ({ createdAt, text }) => `## ${toTime(createdAt)}\n\n${typeof text === "string" ? text : ""}`,
    )
    .join("\n\n");
}

/** Also gets the record of what was read, which is not an answer. */
function describeAnswers(answers: readonly Item[]): string {
  return sortByTime(answers, "at").flatMap(describeAnswer).join("\n");
}

function describeAnswer({ id, kind, at }: Item): string[] {
  if (typeof kind !== "string") return [];
  const what = kind === "reply" ? "A reply to you" : "A quote from your story";
  return [`- ${toTime(at)}: ${what}, message ${id}`];
}

/** Returns the items of a page, which are ordered by their random ids, from the oldest to the newest. */
function sortByTime(items: readonly Item[], field: "createdAt" | "at"): Item[] {
  return items.toSorted((a, b) => toTime(a[field]).localeCompare(toTime(b[field])));
}

function toTime(time: unknown): string {
  return time instanceof Date ? time.toISOString() : "";
}
