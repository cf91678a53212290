import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { loadUnseen } from "#app/chat/unseen.server.ts";
import { getEnv } from "#app/env.server.ts";
import type {
  DocumentSnapshot,
  Fields,
  Firestore,
  QueryOptions,
} from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findPictureBucket } from "#app/pictures/picture-bucket.server.ts";
import { USER_DATA, type Item } from "#app/profile/user-data.server.ts";
import {
  describeWait,
  getRateLimits,
  RATE_LIMIT_WINDOW_MS,
} from "#app/session/rate-limit.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { toUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { loadUncounted } from "#app/stories/readers/readers.server.ts";
import { createSlug } from "#app/stories/story-id.server.ts";
import { getPathsWithText, joinText, type FieldsWithText } from "#app/stories/story-text.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { getDraftsPath } from "#app/writing/draft.ts";
import { FORMAT, toJson, type About } from "./data-format.server.ts";
import { readFileNumber, toFilesPath } from "./data-path.ts";
import { writeZip, type CompressedFile, type TextFile } from "./zip.server.ts";

/**
 * A Worker on the free plan may make 50 subrequests per request. The versions of a draft take one, and about fifteen
 * are for everything else.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
const DRAFTS_PER_FILE = 25;

/** In bytes, about: a file with more could not be imported again. */
const PICTURE_BYTES_PER_FILE = 8_000_000;

/**
 * Sends a ZIP with everything that the signed-in user has stored. Reads and sends it piece by piece. A user with more
 * data than fits into one file is redirected to the links to several.
 */
export async function downloadData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  setRequestKind("long");
  const { user, headers, hasEnded } = await getUser({ request, context }, "action");
  if (!user) {
    const flash = setSessionEndedFlash(request, hasEnded);
    return redirect("/login", { headers: joinHeaders(headers, flash) });
  }
  if (!user.idToken) return toTextResponse(503, SIGN_IN_UNAVAILABLE, headers);
  const { uid } = user;
  if (!(await getRateLimits(context).consume("data", uid))) {
    const { words, retryAfter } = describeWait(RATE_LIMIT_WINDOW_MS);
    const text = `You're doing that too often. Go back and try again in ${words}.\n`;
    return toTextResponse(429, text, joinHeaders(headers, retryAfter));
  }

  const firestore = asUser(getEnv(context), user);
  const bucket = findPictureBucket(context);
  const [drafts, pictures, isUnseen, isUncounted, writer] = await Promise.all([
    catchUnavailable(listDraftHeads(firestore, uid)),
    catchUnavailable(bucket ? bucket.list(uid) : Promise.resolve([])),
    loadUnseen(context, user),
    loadUncounted(context, user),
    catchUnavailable(getWriters(context).find(uid)),
  ]);
  if (drafts instanceof UnavailableError || writer instanceof UnavailableError) {
    return toTextResponse(503, DATABASE_UNAVAILABLE, headers);
  }
  if (pictures instanceof UnavailableError) {
    return toTextResponse(503, PICTURES_UNAVAILABLE, headers);
  }
  const { file, files } = readFileNumber(new URL(request.url).searchParams);
  const bytes = pictures.reduce((sum, { size }) => sum + size, 0);
  // Operators have removed those without bytes.
  const names = pictures
    .filter(({ size }) => size > 0)
    .map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  const needed = Math.max(drafts.length / DRAFTS_PER_FILE, bytes / PICTURE_BYTES_PER_FILE);
  if (files === 1 && needed > 1) return redirect(toFilesPath(1 + Math.ceil(needed)), { headers });

  const { displayName, email, photoURL } = toUser(user);
  const about: About = {
    app: "Inkglade",
    format: FORMAT,
    file,
    files,
    account: { displayName, email, photoURL, about: writer?.about ?? "", isUnseen, isUncounted },
    pictures: names,
  };
  // Of several files, the first has everything but drafts and pictures.
  const isInFile = ({ id }: { id: string }) => files === 1 || toFileOf(id, files) === file;
  async function* listFiles(): AsyncGenerator<TextFile | CompressedFile> {
    yield* createAboutFiles(about);
    if (file === 1) yield* listOtherFiles(firestore, uid);
    yield* listDraftFiles(firestore, drafts instanceof Array ? drafts.filter(isInFile) : []);
    for (const id of names) {
      const picture = isInFile({ id }) ? await bucket?.open(`/pictures/${uid}/${id}`) : undefined;
      if (!picture) continue;
      yield {
        name: `pictures/${id}`,
        bytes: new Uint8Array(await new Response(picture).arrayBuffer()),
      };
    }
  }
  const name = files === 1 ? "inkglade.zip" : `inkglade-${file}-of-${files}.zip`;
  return new Response(toStream(writeZip(listFiles())), {
    headers: {
      ...headers,
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

const SIGN_IN_UNAVAILABLE = "We can't reach the sign-in service. Go back and try again.\n";
const PICTURES_UNAVAILABLE = "We can't load your pictures right now. Go back and try again.\n";
const DATABASE_UNAVAILABLE = "We can't reach our database. Go back and try again.\n";

function toTextResponse(status: number, text: string, headers: HeadersInit): Response {
  const more = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(text, { status, headers: joinHeaders(headers, more) });
}

/**
 * Returns the number of the file, from 2, that a draft is in. Its id alone decides, so that no draft is left out when
 * another is created or deleted between two downloads.
 */
function toFileOf(id: string, files: number): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return 2 + (hash % (files - 1));
}

/**
 * Returns the chunks as a stream. An error aborts the download, so that browsers do not mistake an incomplete file for
 * a complete one; and the list of files, with which a ZIP ends, is missing.
 */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/** As many as the rules allow users to list of what is their own. */
const DOCUMENTS_PER_READ = 500;

/** Texts are read together, to save requests, until there are this many or they may be this long, in bytes. */
const TEXTS_PER_READ = 100;
const BYTES_PER_READ = 3_000_000;

/** What a text has at least, because stored numbers of words may be wrong; and what a word has with the space after it. */
const MIN_BYTES = 20_000;
const BYTES_PER_WORD = 7;

/** What is read of a text before its words. */
const HEAD_FIELDS = ["words"];

type Head = Pick<DocumentSnapshot, "id" | "path" | "fields">;

/** Returns the user's drafts without their texts. */
async function listDraftHeads(firestore: Firestore, uid: string): Promise<Head[]> {
  const heads: Head[] = [];
  for await (const page of readPages(firestore, getDraftsPath(uid), { fields: HEAD_FIELDS })) {
    heads.push(...page.map(({ id, path, fields }) => ({ id, path, fields })));
  }
  return heads;
}

/** Yields everything that a user has stored but the drafts, read piece by piece. */
async function* listOtherFiles(firestore: Firestore, uid: string): AsyncGenerator<TextFile> {
  const own = [["uid", "==", uid]] as const;
  yield* listStories(firestore, own);
  for (const { folder, hasTexts, getPath, sharedPath, describe } of USER_DATA) {
    const path = getPath ? getPath(uid) : sharedPath;
    if (folder === null || path === undefined || hasTexts) continue;
    const where = getPath ? undefined : own;
    yield* listRecords(firestore, folder, path, { where, describe });
  }
}

/** Yields drafts with their texts and versions. */
async function* listDraftFiles(
  firestore: Firestore,
  drafts: readonly Head[],
): AsyncGenerator<TextFile> {
  let folder = "";
  for await (const { head, fields } of readTexts(firestore, listWithVersions(firestore, drafts))) {
    const [, , , draft = "", isVersion] = head.path.split("/");
    if (!isVersion || !folder.endsWith(draft)) {
      const { title } = fields;
      folder = `drafts/${typeof title === "string" ? `${createSlug(title)}-` : ""}${draft}`;
    }
    yield* toTextFiles(isVersion ? `${folder}/versions/${head.id}` : `${folder}/draft`, fields);
  }
}

/** Yields each draft, and after it its versions. Each draft takes a request, because the rules allow no other list. */
async function* listWithVersions(
  firestore: Firestore,
  drafts: readonly Head[],
): AsyncGenerator<Head> {
  for (const draft of drafts) {
    yield draft;
    const path = `${draft.path}/versions`;
    for await (const versions of readPages(firestore, path, { fields: HEAD_FIELDS })) {
      yield* versions;
    }
  }
}

async function* listStories(
  firestore: Firestore,
  where: QueryOptions["where"],
): AsyncGenerator<TextFile> {
  for await (const page of readPages(firestore, "stories", { where, fields: HEAD_FIELDS })) {
    for await (const { head, fields } of readTexts(firestore, page)) {
      yield* toTextFiles(`stories/${head.id}/story`, fields);
    }
  }
}

/** The text alone is a file, so that it is exactly what was written. */
function toTextFiles(name: string, { text, ...fields }: FieldsWithText): TextFile[] {
  return [
    { name: `${name}.json`, text: toJson(fields) },
    { name: `${name}.md`, text },
  ];
}

/** Yields what a collection contains: for each page a file of JSON, and one to read. */
async function* listRecords(
  firestore: Firestore,
  name: string,
  path: string,
  {
    where,
    describe,
  }: Pick<QueryOptions, "where"> & { describe: ((items: readonly Item[]) => string) | undefined },
): AsyncGenerator<TextFile> {
  let number = 0;
  for await (const documents of readPages(firestore, path, { where })) {
    number += 1;
    const items = documents.map(({ id, fields }) => ({ ...fields, id }));
    yield { name: `${name}/${number}.json`, text: toJson(items) };
    if (describe) yield { name: `${name}/${number}.md`, text: `${describe(items)}\n` };
  }
}

/** Yields a collection in pages, ordered by id. */
async function* readPages(
  firestore: Firestore,
  path: string,
  query: Pick<QueryOptions, "where" | "fields">,
): AsyncGenerator<DocumentSnapshot[]> {
  let startAfter: string | undefined;
  for (;;) {
    const limit = DOCUMENTS_PER_READ;
    const documents = await firestore.query(path, { ...query, startAfter, limit });
    if (documents.length > 0) yield documents;
    startAfter = documents.at(-1)?.path;
    if (documents.length < limit) return;
  }
}

/** Yields drafts, versions or stories with their texts. A deleted one is left out. */
async function* readTexts(firestore: Firestore, heads: AsyncIterable<Head> | readonly Head[]) {
  let batch: Head[] = [];
  let bytes = 0;
  for await (const head of heads) {
    batch.push(head);
    bytes += estimateBytes(head.fields);
    if (batch.length < TEXTS_PER_READ && bytes < BYTES_PER_READ) continue;
    yield* await readBatch(firestore, batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield* await readBatch(firestore, batch);
}

async function readBatch(firestore: Firestore, heads: readonly Head[]) {
  const paths = heads.map((head) => getPathsWithText(head.path));
  const { documents } = await firestore.batchGet(paths.flat());
  return heads.flatMap((head, index) => {
    const count = paths[index]?.length ?? 0;
    const own = documents.slice(index * count, (index + 1) * count);
    const text = joinText(own.map((document) => document && document.fields));
    if (!text) return [];
    const fields: FieldsWithText = { id: head.id, ...text };
    return [{ head, fields }];
  });
}

function estimateBytes({ words }: Fields): number {
  return typeof words === "number" ? Math.max(MIN_BYTES, words * BYTES_PER_WORD) : MIN_BYTES;
}

/** Returns the files that say what the others are. */
function createAboutFiles(about: About): TextFile[] {
  const { file, files } = about;
  const count = files > 1 ? `This is file ${file} of ${files}.\n\n` : "";
  return [
    { name: "account.json", text: toJson(about) },
    { name: "README.md", text: README.replace("{count}", count) },
  ];
}

const README = `# Your data from Inkglade

{count}Each text is a Markdown file (.md) with exactly what you wrote. The JSON file (.json) beside it has the title and
everything else that is stored with it.

${USER_DATA.flatMap(({ folder, about }) => (folder === null ? [] : [`- \`${folder}\`: ${about}\n`])).join("")}\
- \`account.json\`: your name, e-mail address and settings, and the names of all your pictures

You can import this file on Inkglade: open your profile, then Data.
`;
