import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";

const PART_LENGTH = 200_000;

interface NewStory {
  id: string;
  title: string;
  /** Markdown. */
  text: string;
  /** @default 2026-01-01T00:00:00Z */
  publishedAt?: string;
  /** @default publishedAt */
  updatedAt?: string;
}

/** Adds a published story by Ana, bypassing the rules. */
export async function publishStory(
  hosts: FirebaseHosts,
  { id, title, text, publishedAt = "2026-01-01T00:00:00Z", updatedAt = publishedAt }: NewStory,
) {
  const parts = Array.from({ length: Math.ceil(text.length / PART_LENGTH) }, (_, index) =>
    text.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH),
  );
  await write(hosts, id, {
    uid: { stringValue: "ana" },
    author: { stringValue: "Ana" },
    title: { stringValue: title },
    description: { stringValue: "" },
    tags: { arrayValue: {} },
    cover: { nullValue: null },
    words: { integerValue: "4" },
    parts: { integerValue: String(parts.length) },
    publishedAt: { timestampValue: publishedAt },
    updatedAt: { timestampValue: updatedAt },
  });
  for (const [index, part] of parts.entries()) {
    await write(hosts, `${id}/parts/${index}`, { text: { stringValue: part } });
  }
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

async function write(hosts: FirebaseHosts, path: string, fields: object): Promise<void> {
  const root = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${LOCAL_PROJECT_ID}`;
  const response = await fetch(`${root}/databases/(default)/documents/stories/${path}`, {
    method: "PATCH",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ fields }),
  });
  if (!response.ok) throw new Error(`stories/${path}: ${response.status}`);
}
