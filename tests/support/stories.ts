import { createTerms } from "#app/stories/terms.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { requestDocument } from "./documents.ts";

const PART_LENGTH = 200_000;

interface NewStory {
  id: string;
  title: string;
  /** Markdown. */
  text: string;
  /** The id of the writer. @default ana */
  uid?: string;
  /** @default Ana */
  author?: string;
  description?: string;
  tags?: string[];
  /** @default null */
  cover?: string | null;
  language?: string;
  /** @default 4 */
  words?: number;
  /** @default 2026-01-01T00:00:00Z */
  publishedAt?: string;
  /** @default the time of publication */
  updatedAt?: string;
  /** When a chapter was added. */
  newChapterAt?: string;
  /** Whether it was published before stories had an index of words. @default false */
  isWithoutTerms?: boolean;
  /** Whether the documents of its text are missing. @default false */
  isWithoutText?: boolean;
}

/** Adds a published story by Ana, bypassing the rules. */
export async function publishStory(
  hosts: FirebaseHosts,
  {
    id,
    title,
    text,
    uid = "ana",
    author = "Ana",
    description = "",
    tags = [],
    cover = null,
    language,
    words = 4,
    publishedAt = "2026-01-01T00:00:00Z",
    updatedAt = publishedAt,
    newChapterAt,
    isWithoutTerms = false,
    isWithoutText = false,
  }: NewStory,
) {
  const terms = createTerms({ title, author, description, tags, language });
  const parts = Array.from({ length: Math.ceil(text.length / PART_LENGTH) }, (_, index) =>
    text.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH),
  );
  await write(hosts, id, {
    uid: { stringValue: uid },
    author: { stringValue: author },
    title: { stringValue: title },
    description: { stringValue: description },
    tags: toArray(tags),
    cover: cover === null ? { nullValue: null } : { stringValue: cover },
    ...(language !== undefined && { language: { stringValue: language } }),
    words: { integerValue: String(words) },
    parts: { integerValue: String(parts.length) },
    publishedAt: { timestampValue: publishedAt },
    updatedAt: { timestampValue: updatedAt },
    ...(newChapterAt !== undefined && { newChapterAt: { timestampValue: newChapterAt } }),
    ...(isWithoutTerms ? {} : { terms: toArray(terms) }),
  });
  for (const [index, part] of isWithoutText ? [] : parts.entries()) {
    await write(hosts, `${id}/parts/${index}`, { text: { stringValue: part } });
  }
}

/** Sets fields of a published story to `null`, bypassing the rules. */
export async function clearFields(hosts: FirebaseHosts, id: string, names: string[]) {
  const mask = new URLSearchParams(names.map((name) => ["updateMask.fieldPaths", name]));
  const fields = Object.fromEntries(names.map((name) => [name, { nullValue: null }]));
  await write(hosts, `${id}?${mask}`, fields);
}

/** Deletes a published story, but not its text, bypassing the rules. */
export async function deleteStory(hosts: FirebaseHosts, id: string): Promise<void> {
  await send(hosts, id, { method: "DELETE" });
}

/** Returns Markdown of about `length` characters: parts with headings, and numbered paragraphs. */
export function makeLongText(length: number): string {
  const blocks: string[] = [];
  for (let size = 0; size < length; size += blocks.at(-1)?.length ?? 0) {
    const number = blocks.length + 1;
    blocks.push(
      number % 20 === 1
        ? `## Part ${Math.ceil(number / 20)}\n\n`
        : `Paragraph ${number}. Nobody asks for a map of the rain until the *second* month of it. In the first month people are brave. They buy good boots and say that the gardens needed it, number ${number} of them.\n\n`,
    );
  }
  return blocks.join("");
}

function toArray(texts: readonly string[]) {
  return { arrayValue: { values: texts.map((stringValue) => ({ stringValue })) } };
}

async function write(hosts: FirebaseHosts, path: string, fields: object): Promise<void> {
  await send(hosts, path, { method: "PATCH", body: JSON.stringify({ fields }) });
}

async function send(hosts: FirebaseHosts, path: string, init: RequestInit): Promise<void> {
  const response = await requestDocument(hosts, `stories/${path}`, init);
  if (!response.ok) throw new Error(`stories/${path}: ${response.status}`);
}
