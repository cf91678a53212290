import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
} from "@remix-run/cloudflare";

import { getHiddenPath, MAX_HIDDEN } from "#app/chat/hidden.ts";
import { getPublicName } from "#app/chat/message.ts";
import { getEnv } from "#app/env.server.ts";
import { limitRequests, UnfinishedError } from "#app/firebase/bulk-writer.server.ts";
import { FirestoreError, UnauthenticatedError } from "#app/firebase/firestore-error.server.ts";
import type { DocumentSnapshot, Firestore, Write } from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { ifUnchanged } from "#app/firebase/preconditions.server.ts";
import { readFileForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { getRemainingMs } from "#app/http/outgoing-calls.server.ts";
import { findPictureBucket } from "#app/pictures/picture-bucket.server.ts";
import { storePicture } from "#app/pictures/pictures.server.ts";
import type { ProfileActionResult } from "#app/profile/profile-view.ts";
import { ActionFailure, runAction, type ActionWords } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { readFollowing, readHiddenItems, readSaved } from "#app/stories/library/library.server.ts";
import {
  getFollowingPath,
  getHiddenItemsPath,
  getSavedPath,
  LIST_TIME,
  MAX_FOLLOWED,
  MAX_HIDDEN_ITEMS,
  MAX_SAVED,
} from "#app/stories/library/library.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";
import { getPositions } from "#app/stories/positions/positions.server.ts";
import { MAX_WORDS } from "#app/stories/story-text.server.ts";
import { countWords } from "#app/stories/words.ts";
import { getDraftsPath, type DraftContent } from "#app/writing/draft.ts";
import {
  createImportedDraftWrites,
  createImportedVersionWrites,
} from "#app/writing/drafts/stored-draft.server.ts";
import {
  NotImportableError,
  readImportFile,
  type DraftInFile,
  type FileContent,
  type VersionInFile,
} from "./import-file.server.ts";
import { describeImport, type ImportCounts } from "./import-report.server.ts";
import { BadZipError } from "./zip.server.ts";

/** Of the file, and of the form around it. */
const MAX_FILE_BYTES = 20_000_000;
const MAX_FORM_BYTES = MAX_FILE_BYTES + 10_000;

/** A Worker on the free plan may make 50 subrequests. The rest is for the session, and for the page with the result. */
const MAX_REQUESTS = 36;

/** A commit and the page after it need time, too. */
const MIN_REMAINING_MS = 8000;

const PATHS_PER_READ = 400;
const RECORDS_PER_COMMIT = 400;

/** The rules may read 20 documents a commit: here each draft and version. The commits stay a fifth below. */
const DOCUMENTS_PER_COMMIT = 16;

/** Firestore's limit is 10 MB. */
const BYTES_PER_COMMIT = 3_000_000;

const WORDS: ActionWords = {
  "other-user": {
    message: "Someone else is signed in here now.",
    hint: "Nothing was imported. Sign in again, then try again.",
  },
  denied: { message: "Not imported.", hint: "Our database rejected the import." },
  unavailable: {
    message: "We couldn't import everything.",
    hint: "We can't reach our database. What was imported stays. Import the file again to continue.",
  },
  "too-fast": { message: "Not imported.", hint: "Try again in a minute." },
};

const TOO_LARGE = {
  message: "This file is too large.",
  hint: `A file can have up to ${MAX_FILE_BYTES / 1_000_000} MB.`,
};

/** Imports a file of `downloadData` into the account of the signed-in user. Repeating it doubles nothing. */
export async function importData(args: ActionFunctionArgs) {
  const { request, context } = args;
  const session = getUser(args);
  // A visitor's file is not read.
  const posted = (await session).user
    ? await readFileForm(request, ["uid"], ["file"], MAX_FORM_BYTES)
    : null;
  const uid = posted?.form.get("uid") ?? null;
  const options = { uid, limit: "data", words: WORDS, session } as const;
  const run = await runAction(args, options, async (user) => {
    if (!posted) throw new ActionFailure({ reason: "invalid", ...TOO_LARGE });
    const { file } = posted.files;
    if (!file) throw new ActionFailure({ reason: "invalid", message: "Choose a file first." });
    if (!user.idToken) throw new ActionFailure({ reason: "unavailable" });
    const content = await readContent(file);
    const pictures = await importPictures(context, user, content);
    const counts = await importContent(asUser(getEnv(context), user), user, content, pictures);
    getPositions(context).clearList(user.uid);
    return describeImport(counts, content);
  });
  if (!run.user) {
    const flash = setSessionEndedFlash(request, run.hasEnded);
    return redirect("/login", { headers: joinHeaders(run.headers, flash), status: 303 });
  }
  const result: ProfileActionResult = run.error
    ? { form: "import-data", banner: { message: run.error.message, hint: run.error.hint } }
    : { form: "import-data", report: run.value };
  return data(result, { status: run.status, headers: run.headers });
}

/** @throws {ActionFailure} if the file is not one that can be imported */
async function readContent(file: Blob): Promise<FileContent> {
  try {
    return await readImportFile(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    throw toFileFailure(error);
  }
}

function toFileFailure(error: unknown): unknown {
  const hint = "Nothing was imported.";
  if (error instanceof NotImportableError) {
    return new ActionFailure({ reason: "invalid", message: error.message, hint });
  }
  if (!(error instanceof BadZipError)) return error;
  const message = "We can't read this file. It isn't a ZIP, or it's damaged.";
  return new ActionFailure({ reason: "invalid", message, hint });
}

interface ImportedPictures {
  added: number;
  existing: number;
  failed: string[];
  isUnfinished: boolean;
  /** The names of those that the account has, and of those that other files of the download have. */
  own: Set<string>;
}

/** Stores the pictures that the account does not have. */
async function importPictures(
  context: AppLoadContext,
  user: AuthUser,
  { pictures, allPictures, readPicture }: FileContent,
): Promise<ImportedPictures> {
  const bucket = findPictureBucket(context);
  const own = new Set(bucket ? allPictures : []);
  const result: ImportedPictures = { added: 0, existing: 0, failed: [], isUnfinished: false, own };
  for (const name of pictures) {
    if (getRemainingMs() < MIN_REMAINING_MS) return { ...result, isUnfinished: true };
    if ((await bucket?.check(toPicturePath(user.uid, name))) !== undefined) {
      result.existing += 1;
      continue;
    }
    const bytes = await readPicture(name);
    try {
      if (!bytes) throw new ActionFailure({ reason: "invalid" });
      await storePicture(context, user, new Blob([bytes]));
      result.added += 1;
    } catch (error) {
      if (!(error instanceof ActionFailure)) throw error;
      result.failed.push(`pictures/${name}`);
      own.delete(name);
    }
  }
  return result;
}

function toPicturePath(uid: string, name: string): string {
  return `/pictures/${uid}/${name}`;
}

/** Returns a text that shows the pictures of the download where this account has them. */
function withOwnPictures(content: DraftContent, uid: string, own: Set<string>): DraftContent {
  const replace = (text: string) =>
    text.replaceAll(/\/pictures\/[\w-]{1,128}\/([\da-f]{32}\.\w+)/g, (address, name: string) =>
      own.has(name) ? toPicturePath(uid, name) : address,
    );
  return {
    ...content,
    text: replace(content.text),
    cover: content.cover && replace(content.cover),
  };
}

/** @throws {FirestoreError | UnavailableError} */
async function importContent(
  unlimited: Firestore,
  user: AuthUser,
  content: FileContent,
  pictures: ImportedPictures,
): Promise<ImportCounts> {
  const firestore = limitRequests(unlimited, MAX_REQUESTS);
  const counts: ImportCounts = {
    drafts: 0,
    versions: 0,
    positions: 0,
    saved: 0,
    following: 0,
    hidden: 0,
    hiddenItems: 0,
    pictures: pictures.added,
    existing: pictures.existing,
    full: [],
    failed: [...content.invalid, ...pictures.failed],
    isUnfinished: pictures.isUnfinished,
  };
  try {
    const existing = await readExisting(firestore, user, content);
    await importLibrary(firestore, user, { content, existing, counts });
    await importHidden(firestore, user, { content, counts });
    await importTexts(firestore, user, { content, existing, counts, own: pictures.own });
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    counts.isUnfinished = true;
  }
  return counts;
}

type Existing = Map<string, DocumentSnapshot>;

/** Returns what the account has of the file's content, with a few requests. */
async function readExisting(
  firestore: Firestore,
  { uid }: AuthUser,
  { drafts, versions, positions }: FileContent,
): Promise<Existing> {
  const paths = [
    getSavedPath(uid),
    getFollowingPath(uid),
    getHiddenItemsPath(uid),
    ...positions.map(({ story }) => `${getPositionsPath(uid)}/${story}`),
    ...drafts.map(({ id }) => `${getDraftsPath(uid)}/${id}`),
    ...versions.flatMap((version) => toVersionPaths(uid, version)),
  ];
  const existing: Existing = new Map();
  for (const chunk of split([...new Set(paths)], PATHS_PER_READ)) {
    const { documents } = await firestore.batchGet(chunk, {
      fields: ["createdAt", "time", "items"],
    });
    for (const document of documents) if (document) existing.set(document.path, document);
  }
  return existing;
}

function toVersionPaths(uid: string, { draft, ids }: VersionInFile): string[] {
  return ids.map((id) => `${getDraftsPath(uid)}/${draft}/versions/${id}`);
}

interface Step {
  content: FileContent;
  existing: Existing;
  counts: ImportCounts;
}

type TextStep = Step & Pick<ImportedPictures, "own">;

/** Imports reading positions, unless the account has later ones, and what the lists do not have yet, as long as they have room. */
async function importLibrary(
  firestore: Firestore,
  { uid }: AuthUser,
  { content, existing, counts }: Step,
): Promise<void> {
  const positions = content.positions.filter(({ story, time }) => {
    const stored = existing.get(`${getPositionsPath(uid)}/${story}`)?.fields.time;
    return !(typeof stored === "number" && stored >= time);
  });
  counts.existing += content.positions.length - positions.length;
  for (const chunk of split(positions, RECORDS_PER_COMMIT)) {
    const writes = chunk.map(({ story, ...fields }) => ({
      path: `${getPositionsPath(uid)}/${story}`,
      // The rules refuse times in the future.
      fields: { ...fields, time: Math.min(fields.time, Date.now()) },
    }));
    if (await tryCommit(firestore, writes)) counts.positions += chunk.length;
    else counts.failed.push("library");
  }

  const saved = existing.get(getSavedPath(uid));
  const following = existing.get(getFollowingPath(uid));
  const newSaved = merge(readSaved(saved?.fields), content.saved, ({ id }) => id, MAX_SAVED);
  const others = content.following.filter((writer) => writer.uid !== uid);
  const newFollowing = merge(
    readFollowing(following?.fields),
    others,
    (writer) => writer.uid,
    MAX_FOLLOWED,
  );
  const hidden = existing.get(getHiddenItemsPath(uid));
  const newHidden = merge(
    readHiddenItems(hidden?.fields),
    content.hiddenItems,
    ({ kind, id }) => `${kind} ${id}`,
    MAX_HIDDEN_ITEMS,
  );
  counts.existing += newSaved.existing + newFollowing.existing + newHidden.existing;
  counts.full.push(
    ...describeLeft("saved stories", MAX_SAVED, newSaved),
    ...describeLeft("followed writers", MAX_FOLLOWED, newFollowing),
    ...describeLeft("hidden stories, tags or writers", MAX_HIDDEN_ITEMS, newHidden),
  );
  const writes = [
    ...toListWrites(getSavedPath(uid), saved, newSaved),
    ...toListWrites(getFollowingPath(uid), following, newFollowing),
    ...toListWrites(getHiddenItemsPath(uid), hidden, newHidden),
  ];
  if (writes.length === 0) return;
  if (await tryCommit(firestore, writes)) {
    counts.saved += newSaved.added;
    counts.following += newFollowing.added;
    counts.hiddenItems += newHidden.added;
  } else counts.failed.push("library");
}

/** Returns a list with the items that it does not have yet after its own. */
function merge<Item>(
  own: readonly Item[],
  imported: readonly Item[],
  toId: (item: Item) => string,
  max: number,
) {
  const ids = new Set(own.map(toId));
  const others = [...new Map(imported.map((item) => [toId(item), item])).values()];
  const added = others.filter((item) => !ids.has(toId(item)));
  const items = [...own, ...added].slice(0, Math.max(max, own.length));
  return {
    items,
    added: items.length - own.length,
    existing: others.length - added.length,
    left: own.length + added.length - items.length,
  };
}

/** Says what a list had no room for. */
function describeLeft(kind: string, max: number, { left }: { left: number }): string[] {
  return left > 0 ? [`${kind} over the limit of ${max}: ${left}`] : [];
}

function toListWrites(
  path: string,
  stored: DocumentSnapshot | undefined,
  { items, added }: { items: unknown[]; added: number },
): Write[] {
  if (added === 0) return [];
  return [{ path, fields: { time: LIST_TIME, items }, ...ifUnchanged(stored) }];
}

async function importHidden(
  firestore: Firestore,
  { uid }: AuthUser,
  { content, counts }: Omit<Step, "existing">,
): Promise<void> {
  const others = content.hidden.filter((person) => person.uid !== uid);
  if (others.length === 0) return;
  const path = getHiddenPath(uid);
  const stored = await firestore.query(path, { limit: MAX_HIDDEN, isKeysOnly: true });
  const own = stored.map(({ id }) => ({ uid: id, name: "" }));
  const merged = merge(own, others, (person) => person.uid, MAX_HIDDEN);
  const { items, added } = merged;
  counts.existing += merged.existing;
  counts.full.push(...describeLeft("hidden people", MAX_HIDDEN, merged));
  const writes = items.slice(own.length).map((person) => ({
    path: `${path}/${person.uid}`,
    fields: { name: getPublicName(person.name) },
    serverTimestamps: ["hiddenAt"],
  }));
  if (added === 0) return;
  if (await tryCommit(firestore, writes)) counts.hidden += added;
  else counts.failed.push("hidden-people");
}

/** A draft or version to be imported. */
interface Text {
  kind: "drafts" | "versions";
  item: DraftInFile | VersionInFile;
  /** The documents that the rules read. */
  documents: string[];
  toWrites: (content: DraftContent, words: number) => Write[];
}

/** Imports the drafts and versions that the account does not have. Drafts that it has stay as they are. */
async function importTexts(
  firestore: Firestore,
  { uid }: AuthUser,
  { content, existing, counts, own }: TextStep,
): Promise<void> {
  const drafts = content.drafts.flatMap((item): Text[] => {
    const path = `${getDraftsPath(uid)}/${item.id}`;
    if (existing.has(path)) return [];
    return [
      {
        kind: "drafts",
        item,
        documents: [path],
        toWrites: (draft, words) =>
          createImportedDraftWrites({ path, content: draft, words }, item),
      },
    ];
  });
  const versions = content.versions.flatMap((item): Text[] => {
    const draft = `${getDraftsPath(uid)}/${item.draft}`;
    const path = `${draft}/versions/${item.id}`;
    if (toVersionPaths(uid, item).some((other) => isSame(existing.get(other), item))) return [];
    // The rules refuse times in the future.
    const createdAt = new PreciseDate(Math.min(item.createdAt.time, Date.now()));
    return [
      {
        kind: "versions",
        item,
        documents: [draft, path],
        toWrites: (version, words) =>
          createImportedVersionWrites(
            { path, content: version, words },
            { reason: item.reason, createdAt },
          ),
      },
    ];
  });
  const total = content.drafts.length + content.versions.length;
  counts.existing += total - drafts.length - versions.length;
  for (const batch of toBatches([...drafts, ...versions])) {
    if (getRemainingMs() < MIN_REMAINING_MS) throw new UnfinishedError("There is no time left");
    await importBatch(firestore, { uid, content, counts, own, batch });
  }
}

function isSame(stored: DocumentSnapshot | undefined, { createdAt }: VersionInFile): boolean {
  const time = stored?.fields.createdAt;
  return time instanceof PreciseDate && time.time === createdAt.time;
}

async function importBatch(
  firestore: Firestore,
  {
    uid,
    content,
    counts,
    own,
    batch,
  }: Omit<TextStep, "existing"> & { uid: string; batch: readonly Text[] },
): Promise<void> {
  const valid: (Text & { writes: Write[] })[] = [];
  for (const text of batch) {
    const inFile = await content.readText(text.item);
    const read = inFile && withOwnPictures(inFile, uid, own);
    if (read) valid.push({ ...text, writes: text.toWrites(read, toWordCount(text.item, read)) });
    else counts.failed.push(text.item.file);
  }
  if (valid.length === 0) return;
  const isDone = await tryCommit(
    firestore,
    valid.flatMap(({ writes }) => writes),
  );
  for (const { kind, item, writes } of valid) {
    // One text that is rejected should not keep the others out.
    if (isDone || (valid.length > 1 && (await tryCommit(firestore, writes)))) counts[kind] += 1;
    else counts.failed.push(item.file);
  }
}

function toWordCount({ words }: { words: number }, { text }: DraftContent): number {
  return Number.isInteger(words) && words >= 0 && words <= MAX_WORDS ? words : countWords(text);
}

/** Splits texts into batches of one commit each. */
function toBatches(texts: readonly Text[]): Text[][] {
  const batches: Text[][] = [];
  let batch: Text[] = [];
  let documents = new Set<string>();
  let bytes = 0;
  for (const text of texts) {
    const all = new Set([...documents, ...text.documents]);
    bytes += text.item.size;
    if (batch.length === 0 || all.size > DOCUMENTS_PER_COMMIT || bytes > BYTES_PER_COMMIT) {
      batch = [];
      batches.push(batch);
      documents = new Set(text.documents);
      bytes = text.item.size;
    } else documents = all;
    batch.push(text);
  }
  return batches;
}

function split<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Returns whether the database accepts writes. @throws {UnauthenticatedError | UnavailableError | UnfinishedError} */
async function tryCommit(firestore: Firestore, writes: Write[]): Promise<boolean> {
  try {
    await firestore.commit(writes);
    return true;
  } catch (error) {
    if (!(error instanceof FirestoreError) || error instanceof UnauthenticatedError) throw error;
    return false;
  }
}
