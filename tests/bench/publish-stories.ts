import { createTerms } from "#app/stories/terms.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { setDocuments } from "#tests/support/documents.ts";

/** Every third story has a given word, tag or writer, so that even the small library fills the first page of results. */
const WORDS = ["salt", "tide", "lamp"];
const TAGS = ["moor", "rain", "coal"];

/** Publishes the stories from number `from` to number `to`, bypassing the rules. */
export async function publishStories(
  hosts: FirebaseHosts,
  from: number,
  to: number,
): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  await setDocuments(hosts, numbers.flatMap(toDocuments));
}

/** The number has up to ten digits. */
export function toStoryId(number: number): string {
  return `a-story-${String(number).padStart(10, "0")}`;
}

function toDocuments(number: number) {
  const title = `The ${WORDS[number % 3]} and the bell number${number}z`;
  const author = `Ana Writer${number % 3}`;
  const description = "A clerk at the weather office counts what the others have forgotten.";
  const tags = [TAGS[number % 3] ?? "", "work"];
  const terms = createTerms({ title, author, description, tags });
  const path = `stories/${toStoryId(number)}`;
  const time = { timestampValue: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString() };
  const text = (stringValue: string) => ({ stringValue });
  const list = (texts: string[]) => ({ arrayValue: { values: texts.map(text) } });
  const story = {
    uid: text(`writer${number % 3}`),
    author: text(author),
    title: text(title),
    description: text(description),
    tags: list(tags),
    cover: { nullValue: null },
    words: { integerValue: String(500 + ((number * 37) % 4000)) },
    parts: { integerValue: "1" },
    terms: list(terms),
    publishedAt: time,
    updatedAt: time,
  };
  return [
    { path, fields: story },
    { path: `${path}/parts/0`, fields: { text: text(PARAGRAPHS) } },
  ];
}

/** About 800 words. */
const PARAGRAPHS = "The rain came over the moor, and nobody counted it.\n\n".repeat(80);
