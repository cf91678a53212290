interface HtmlPage {
  html: string;
}

/** Returns the page's links with their texts, or their labels if they have no text. */
export function readLinks({ html }: HtmlPage) {
  const links = html.matchAll(/<a ([^>]*)>([\s\S]*?)<\/a>/g);
  return Array.from(links, ([, tag = "", content = ""]) => ({
    href: readAttribute(tag, "href"),
    text: toText(content) || (readAttribute(tag, "aria-label") ?? ""),
  }));
}

/** Returns what the browser sends when the user presses the button with this text, label or value. */
export function readForm({ html }: HtmlPage, text: string) {
  const forms = Array.from(
    html.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g),
    ([, tag = "", content = ""]) => ({ tag, content, outside: findOutside(html, tag) }),
  );
  const form =
    forms.find(({ content }) => findButton(content, text) !== undefined) ??
    forms.find(({ outside }) => findButton(outside, text) !== undefined);
  if (!form) throw new Error(`The page has no form with the button "${text}"`);
  const { tag, content, outside } = form;
  const button = findButton(content + outside, text) ?? "";
  const values = readFields(content + outside);
  const name = readAttribute(button, "name");
  if (name) values.set(name, readAttribute(button, "value") ?? "");
  return {
    method: readAttribute(tag, "method") ?? "get",
    action: readAttribute(button, "formAction") ?? readAttribute(tag, "action") ?? "",
    isMultipart: /multipart/.test(readAttribute(tag, "encType") ?? ""),
    values,
  };
}

/** Returns the fields and buttons outside a form that refer to it by its id. */
function findOutside(html: string, tag: string): string {
  const id = readAttribute(tag, "id");
  if (!id) return "";
  const outside = `<(textarea|button) [^>]*\\bform="${id}"[\\s\\S]*?</\\1>|<input [^>]*\\bform="${id}"[^>]*>`;
  return (html.match(new RegExp(outside, "g")) ?? []).join("");
}

/** Returns the attributes of a submit button. */
function findButton(form: string, text: string): string | undefined {
  const buttons = form.matchAll(/<button ([^>]*)>([\s\S]*?)<\/button>/g);
  return [...buttons].find(
    ([, tag = "", content = ""]) =>
      toText(content) === text ||
      readAttribute(tag, "aria-label") === text ||
      readAttribute(tag, "value") === text,
  )?.[1];
}

export function readFields(html: string): URLSearchParams {
  const values = new URLSearchParams();
  for (const [, tag = ""] of html.matchAll(/<input ([^>]*?)\/?>/g)) {
    const name = readAttribute(tag, "name");
    const isChoice = /type="(?:checkbox|radio)"/.test(tag);
    if (!name || (isChoice && !/ checked=/.test(tag))) continue;
    values.append(name, readAttribute(tag, "value") ?? (isChoice ? "on" : ""));
  }
  for (const [, tag = "", text = ""] of html.matchAll(
    /<textarea ([^>]*)>([\s\S]*?)<\/textarea>/g,
  )) {
    // A line break at the start is not part of the text.
    const name = readAttribute(tag, "name");
    if (name) values.append(name, decode(text).replace(/^\n/, ""));
  }
  return values;
}

/** Returns the text of the text area with this label; `undefined` if there is none. */
export function readTextArea({ html }: HtmlPage, label: string): string | undefined {
  const areas = html.matchAll(/<textarea ([^>]*)>([\s\S]*?)<\/textarea>/g);
  const [, , text] =
    [...areas].find(([, tag = ""]) => readAttribute(tag, "aria-label") === label) ?? [];
  return text === undefined ? undefined : decode(text).replace(/^\n/, "");
}

export function toFormData(values: URLSearchParams, files: Record<string, File> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of values) form.append(name, value);
  for (const [name, file] of Object.entries(files)) form.set(name, file);
  return form;
}

function readAttribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value === undefined ? undefined : decode(value);
}

/** Returns the text of HTML without its tags. */
export function toText(html: string): string {
  return decode(html.replaceAll(/<[^>]+>/g, "")).trim();
}

function decode(text: string): string {
  return text
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
