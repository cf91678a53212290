/** Text that is HTML already, and is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** Makes HTML of a template. Escapes every value that is not HTML itself, and leaves out what is `undefined`. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const text = parts.map(
    (part, index) => part + (index < values.length ? toText(values[index]) : ""),
  );
  return new Html(text.join(""));
}

function toText(value: HtmlValue): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escape(String(value));
  return value.map(toText).join("");
}

/** Escapes text for the content of an element, or for a quoted attribute. */
export function escape(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
