import { hash } from "#app/stories/paragraph.ts";
import { splitTags, toLine, type Manuscript } from "#app/writing/draft.ts";

/** The editor's form: what each field holds, as it was typed. */
export interface DraftFields {
  title: string;
  text: string;
  description: string;
  /** With commas between them. */
  tags: string;
  cover: string;
}

/** Returns the fields that show a manuscript. */
export function toFields({ title, text, description, tags, cover }: Manuscript): DraftFields {
  return { title, text, description, tags: tags.join(", "), cover: cover ?? "" };
}

/** Reads the fields of a form. Line ends are LF, as a text area has them. */
export function readFields(form: FormData): DraftFields {
  const read = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.replaceAll(/\r\n?/g, "\n") : "";
  };
  return {
    title: read("title"),
    text: read("text"),
    description: read("description"),
    tags: read("tags"),
    cover: read("cover"),
  };
}

/** Returns a short text that is the same for the same words, also once the server has tidied them. */
export function fingerprint({ title, text, description, tags, cover }: DraftFields): string {
  const lines = [toLine(title), toLine(description), splitTags(tags).join(), cover.trim()];
  const words = JSON.stringify([...lines, text.toWellFormed()]);
  return `${hash(words)}-${words.length}`;
}

/** What a text area tells when other words were put into it, which no event of the browser does. */
export const WORDS_REPLACED = "inkglade:words-replaced";

/** Puts fields into a form. */
export function writeFields(form: HTMLFormElement, fields: DraftFields): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    // Setting even the same value would move the caret to the end.
    if (isField && field.value !== value) field.value = value;
    if (isField) field.dispatchEvent(new Event(WORDS_REPLACED));
  }
}

export function areSame(one: DraftFields, other: DraftFields): boolean {
  return (
    one.text === other.text &&
    one.title === other.title &&
    one.description === other.description &&
    one.tags === other.tags &&
    one.cover === other.cover
  );
}
