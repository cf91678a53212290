import { MAX_HIDDEN, type HiddenPerson } from "#app/chat/hidden.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { PreciseDate } from "#app/firebase/firestore.server.ts";
import { MAX_PICTURE_BYTES } from "#app/pictures/pictures.server.ts";
import { findLanguage } from "#app/stories/languages.ts";
import { readFollowing, readHiddenItems, readSaved } from "#app/stories/library/library.server.ts";
import {
  FOLLOWING_LIST_ID,
  HIDDEN_LIST_ID,
  SAVED_LIST_ID,
  type FollowedWriter,
  type HiddenItem,
  type SavedStory,
} from "#app/stories/library/library.ts";
import { storyIdSchema } from "#app/stories/positions/position-schema.ts";
import type { ReadingPosition } from "#app/stories/positions/position.ts";
import { readPositionFields } from "#app/stories/positions/positions.server.ts";
import { draftContentSchema } from "#app/writing/draft-schema.ts";
import type { DraftContent } from "#app/writing/draft.ts";
import { isInTrash, toStoredDraft } from "#app/writing/drafts/stored-draft.server.ts";
import { createDigest, toVersion, VERSION_ID } from "#app/writing/versions/versions.server.ts";
import { readAbout, readJson, type About } from "./data-format.server.ts";
import { openZip, type OpenedZip } from "./zip.server.ts";

// The names that `download.server.ts` gives.
const ABOUT = /^([^/]+\/)?account\.json$/;
const DRAFT = /^drafts\/[^/]*?([A-Za-z0-9]{20})\/draft\.json$/;
const VERSION = /^drafts\/[^/]*?([A-Za-z0-9]{20})\/versions\/([0-9a-f-]+)\.json$/;
const STORY = /^stories\/([^/]+)\/story\.json$/;
const PICTURE = /^pictures\/([\da-f]{32}\.(?:avif|jpg|png|webp))$/;
const RECORDS = /^(library|hidden-people)\/\d+\.json$/;

/** In bytes: far more than a file of JSON that an import reads can have. */
const MAX_JSON_BYTES = 2_000_000;

/** In bytes: 500,000 UTF-16 units, of three bytes each. */
const MAX_TEXT_BYTES = 1_500_000;

/** The file is not a download of Inkglade, or one from another version. The message is for the user. */
export class NotImportableError extends Error {
  override name = "NotImportableError";
}

/** A text in the file. Its words are read when it is imported. */
interface TextInFile {
  /** The name of its Markdown file. */
  file: string;
  /** In bytes. */
  size: number;
  words: number;
  fields: Omit<DraftContent, "text">;
}

export interface DraftInFile extends TextInFile {
  id: string;
  isInTrash: boolean;
  isOngoing: boolean | undefined;
}

export interface VersionInFile extends TextInFile {
  draft: string;
  /** The id that it gets. Never one that the account's own versions can have, so that both have room. */
  id: string;
  /** The ids under which the account may have it already. */
  ids: readonly string[];
  reason: string;
  createdAt: PreciseDate;
}

/** What an import can bring into an account. All of it is valid. */
export interface FileContent {
  drafts: DraftInFile[];
  versions: VersionInFile[];
  positions: ReadingPosition[];
  saved: SavedStory[];
  following: FollowedWriter[];
  hidden: HiddenPerson[];
  hiddenItems: HiddenItem[];
  /** The names of pictures. What they contain is checked when they are stored. */
  pictures: string[];
  /** The same, with those in other files of the download. */
  allPictures: string[];
  /** Returns the bytes of a picture; `undefined` if it is damaged or larger than any. */
  readPicture: (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Whether a story was published. */
  hasStories: boolean;
  /** The names of files that are not valid. */
  invalid: string[];
  /** Returns the content of a text; `undefined` if it is not valid. */
  readText: (text: TextInFile) => Promise<DraftContent | undefined>;
}

/**
 * Reads a ZIP of `downloadData`. It may be hostile: whatever is not valid is left out.
 *
 * @throws {NotImportableError | BadZipError}
 */
export async function readImportFile(bytes: Uint8Array<ArrayBuffer>): Promise<FileContent> {
  const zip = await openFolder(bytes);
  const pictures = zip.names.flatMap((name) => PICTURE.exec(name)?.[1] ?? []);
  const names = zip.names.filter((name) =>
    [DRAFT, VERSION, STORY, RECORDS].some((pattern) => pattern.test(name)),
  );
  const invalid: string[] = [];
  const content: FileContent = {
    drafts: [],
    versions: [],
    positions: [],
    saved: [],
    following: [],
    hidden: [],
    hiddenItems: [],
    pictures,
    allPictures: [...zip.pictures, ...pictures],
    readPicture: async (name) => {
      const file = `pictures/${name}`;
      return zip.getSize(file) > MAX_PICTURE_BYTES ? undefined : zip.readBytes(file);
    },
    hasStories: false,
    invalid,
    readText: (text) => readText(zip, text),
  };
  const drafts = new Map<string, DraftInFile>();
  const versions = new Map<string, VersionInFile>();
  const stories = new Map<string, DraftInFile>();
  const storiesOfDrafts = new Set<string | null>();
  for (const name of names) {
    const isSmall = zip.getSize(name) <= MAX_JSON_BYTES;
    const json = readJson(isSmall ? await zip.read(name) : undefined);
    const [, draftId] = DRAFT.exec(name) ?? [];
    const [, versionDraft, versionId] = VERSION.exec(name) ?? [];
    const [, storyId] = STORY.exec(name) ?? [];
    if (RECORDS.test(name) && Array.isArray(json)) {
      addRecords(content, json.filter(isFields), name.startsWith("library"));
      continue;
    }
    const text = findText(zip, name);
    if (!isFields(json) || !text) {
      invalid.push(name);
    } else if (draftId !== undefined) {
      const stored = toStoredDraft({ id: draftId, fields: json });
      if (stored) {
        const { head } = stored;
        storiesOfDrafts.add(head.storyId);
        drafts.set(draftId, {
          ...toText(text, head),
          id: draftId,
          isInTrash: isInTrash(stored),
          isOngoing: head.isOngoing,
        });
      } else invalid.push(name);
    } else if (versionDraft !== undefined && versionId !== undefined) {
      const version = await toVersionInFile(text, json, versionDraft, versionId);
      if (version) versions.set(`${versionDraft}/${version.id}`, version);
      else invalid.push(name);
    } else if (storyId !== undefined) {
      const story = toVersion({ ...json, id: storyId, text: "", ...OF_STORIES });
      // The same story becomes the same draft each time.
      const id = await createDigest(["story", storyId]);
      const language = findLanguage(json.language);
      const draft = story && {
        ...toText(text, { ...story, language }),
        id,
        isInTrash: false,
        isOngoing: undefined,
      };
      if (draft) stories.set(storyId, draft);
      else invalid.push(name);
    }
  }
  for (const [storyId, draft] of stories) {
    if (!storiesOfDrafts.has(storyId)) drafts.set(draft.id, draft);
  }
  content.hasStories = stories.size > 0;
  content.drafts = [...drafts.values()];
  content.versions = [...versions.values()];
  return content;
}

/** What a published story does not have, and a version does. */
const OF_STORIES = { reason: "published", createdAt: new Date(0) };

const NOT_OURS =
  "This isn't a ZIP of your data from Inkglade. Choose the file that you downloaded here.";
const OTHER_FORMAT = "This file is from another version of Inkglade, which this one can't read.";

/**
 * Opens the ZIP, and reads which pictures the account has. A program that unpacked and packed it again may have put
 * everything into a folder.
 *
 * @throws {NotImportableError | BadZipError}
 */
async function openFolder(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<OpenedZip & Pick<About, "pictures">> {
  const zip = openZip(bytes);
  const file = zip.names.find((name) => ABOUT.test(name));
  if (file === undefined || zip.getSize(file) > MAX_JSON_BYTES) {
    throw new NotImportableError(NOT_OURS);
  }
  const about = readAbout(await zip.read(file));
  if (typeof about === "string") {
    throw new NotImportableError(about === "format" ? OTHER_FORMAT : NOT_OURS);
  }
  const [, folder = ""] = ABOUT.exec(file) ?? [];
  return {
    pictures: about.pictures,
    names: zip.names
      .filter((name) => name.startsWith(folder))
      .map((name) => name.slice(folder.length)),
    getSize: (name) => zip.getSize(folder + name),
    read: (name) => zip.read(folder + name),
    readBytes: (name) => zip.readBytes(folder + name),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the Markdown file that belongs to a file of JSON; `undefined` if it is missing or too large. */
function findText(zip: OpenedZip, name: string): Pick<TextInFile, "file" | "size"> | undefined {
  const file = name.replace(/json$/, "md");
  const size = zip.getSize(file);
  return size <= MAX_TEXT_BYTES ? { file, size } : undefined;
}

function toText(
  text: Pick<TextInFile, "file" | "size">,
  fields: Omit<DraftContent, "text"> & { words: number },
): TextInFile {
  const { title, description, tags, cover, language, words } = fields;
  return { ...text, words, fields: { title, description, tags, cover, language } };
}

async function toVersionInFile(
  text: Pick<TextInFile, "file" | "size">,
  json: Fields,
  draft: string,
  id: string,
): Promise<VersionInFile | undefined> {
  const version = toVersion({ ...json, id, text: "" });
  const { createdAt } = json;
  if (!version || !VERSION_ID.test(id) || !(createdAt instanceof PreciseDate)) return undefined;
  const [revision = "", digest = await createDigest([draft, id, createdAt.time])] = id.split("-");
  const imported = `${revision}-${digest}`;
  return {
    ...toText(text, version),
    draft,
    id: imported,
    ids: [revision, imported],
    reason: version.reason,
    createdAt,
  };
}

function addRecords(content: FileContent, items: readonly Fields[], isLibrary: boolean): void {
  for (const { id, ...fields } of items) {
    if (!isDocumentId(id)) continue;
    if (!isLibrary) {
      const { name } = fields;
      const person = { uid: id, name: typeof name === "string" ? name : "" };
      if (content.hidden.length < MAX_HIDDEN) content.hidden.push(person);
    } else if (id === SAVED_LIST_ID) content.saved = readSaved(fields);
    else if (id === FOLLOWING_LIST_ID) content.following = readFollowing(fields);
    else if (id === HIDDEN_LIST_ID) content.hiddenItems = readHiddenItems(fields);
    else {
      const position = readPositionFields(id, fields);
      if (position && storyIdSchema.safeParse(id).success) content.positions.push(position);
    }
  }
}

async function readText(
  zip: OpenedZip,
  { file, fields }: TextInFile,
): Promise<DraftContent | undefined> {
  // As in forms: an editor may have changed the line breaks.
  const text = (await zip.read(file))?.replaceAll(/\r\n?/g, "\n");
  const form = { ...fields, tags: fields.tags.join(","), cover: fields.cover ?? "", text };
  return text === undefined ? undefined : draftContentSchema.safeParse(form).data;
}
