import { hash } from "#app/stories/paragraph.ts";
import { splitTags, toLine, type DraftContent } from "#app/writing/draft.ts";

/** The fields of the editor's form, as they were typed. */
export interface DraftFields {
  title: string;
  text: string;
  description: string;
  /** Separated by commas. */
  tags: string;
  cover: string;
  /** Missing in copies of earlier builds, and of drafts without one. */
  language?: string | undefined;
}

/** Whether a stored value is the fields of a draft. */
export function isDraftFields(value: unknown): value is DraftFields {
  const names = ["title", "text", "description", "tags", "cover"] satisfies (keyof DraftFields)[];
  const isObject = typeof value === "object" && value !== null;
  return isObject && names.every((name) => typeof Reflect.get(value, name) === "string");
}

/** Returns a draft's content as form fields. */
export function toFields(draft: DraftContent): DraftFields {
  const { title, text, description, tags, cover, language } = draft;
  const fields = { title, text, description, tags: tags.join(", "), cover: cover ?? "" };
  return language === undefined ? fields : { ...fields, language };
}

/** Reads the fields of a form. Line breaks become LF, as in a text area's value. */
export function readFields(form: FormData): DraftFields {
  const readField = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.replaceAll(/\r\n?/g, "\n") : "";
  };
  const fields = {
    title: readField("title"),
    text: readField("text"),
    description: readField("description"),
    tags: readField("tags"),
    cover: readField("cover"),
  };
  return form.has("language") ? { ...fields, language: readField("language") } : fields;
}

/**
 * Returns a short hash of the fields. It is the same before and after the server normalizes titles and tags, and in all
 * languages: no word is lost if the last choice of a language wins.
 */
export function createFingerprint({ title, text, description, tags, cover }: DraftFields): string {
  const lines = [toLine(title), toLine(description), splitTags(tags).join(), cover.trim()];
  const normalized = JSON.stringify([...lines, text.toWellFormed()]);
  return `${hash(normalized)}-${normalized.length}`;
}

/** The event to dispatch after replacing a field's value, because browsers dispatch none. */
export const VALUE_REPLACED_EVENT = "inkglade:value-replaced";

/** Writes fields into a form. */
export function writeFields(form: HTMLFormElement, fields: DraftFields): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    const isField =
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement;
    // Assigning even the same value moves the caret to the end.
    if (isField && field.value !== value) field.value = value;
    if (isField) field.dispatchEvent(new Event(VALUE_REPLACED_EVENT));
  }
}

export function areSameFields(one: DraftFields, other: DraftFields): boolean {
  return (
    one.text === other.text &&
    one.title === other.title &&
    one.description === other.description &&
    one.tags === other.tags &&
    one.cover === other.cover &&
    // A draft without a language differs in nothing from one with the default.
    (one.language ?? other.language) === (other.language ?? one.language)
  );
}

/** Changes a field as if the user had typed the value, so that the form's listeners notice. */
export function setFieldValue(field: HTMLInputElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
