import type {
  DocumentSnapshot,
  Fields,
  Firestore,
  QueryOptions,
} from "#app/firebase/firestore-types.ts";
import { USER_DATA, type Item } from "#app/profile/user-data.server.ts";
import { createSlug } from "#app/stories/story-id.server.ts";
import { getPathsWithText, joinText, type FieldsWithText } from "#app/stories/story-text.server.ts";
import { getDraftsPath } from "#app/writing/draft.ts";
import { toJson, type About } from "./data-format.server.ts";
import type { TextFile } from "./zip.server.ts";

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
export async function listDraftHeads(firestore: Firestore, uid: string): Promise<Head[]> {
  const heads: Head[] = [];
  for await (const page of readPages(firestore, getDraftsPath(uid), { fields: HEAD_FIELDS })) {
    heads.push(...page.map(({ id, path, fields }) => ({ id, path, fields })));
  }
  return heads;
}

/** Yields everything that a user has stored but the drafts, read piece by piece. */
export async function* listOtherFiles(firestore: Firestore, uid: string): AsyncGenerator<TextFile> {
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
export async function* listDraftFiles(
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
export function createAboutFiles(about: About): TextFile[] {
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
