import { parserCtx } from "@milkdown/kit/core";
import { Fragment, Slice, type Node } from "@milkdown/kit/prose/model";
import { Plugin } from "@milkdown/kit/prose/state";
import { $prose } from "@milkdown/kit/utils";

/** Pastes Markdown as formatted text, and HTML with the formats that a story can have. */
export const storyPaste = $prose(
  (ctx) =>
    new Plugin({
      props: {
        transformPastedHTML: cleanHtml,
        handlePaste(view, { clipboardData }) {
          const text = clipboardData?.getData("text/plain") ?? "";
          const isMarkdown = text !== "" && clipboardData?.getData("text/html") === "";
          if (!isMarkdown || view.state.selection.$from.parent.type.spec.code) return false;
          const doc = ctx.get(parserCtx)(text.replaceAll(/\r\n?/g, "\n"));
          const slice = Slice.maxOpen(escapeHtml(doc.content));
          view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
          return true;
        },
      },
    }),
);

/** Turns HTML inside pasted Markdown into plain text. */
function escapeHtml(content: Fragment): Fragment {
  const nodes: Node[] = [];
  content.forEach((node) => {
    const { schema } = node.type;
    if (node.type.name === "html") nodes.push(schema.text(String(node.attrs.value)));
    else nodes.push(node.isText ? node : node.copy(escapeHtml(node.content)));
  });
  return Fragment.fromArray(nodes);
}

const UNWANTED_ELEMENTS =
  "script, style, meta, link, title, template, iframe, object, svg, form, [hidden]";

/** The attributes that the schema reads. */
const WANTED_ATTRIBUTES = /^(href|src|alt|title|start|data-.*)$/;

/** Removes everything but the text and its formats. */
function cleanHtml(html: string): string {
  const template = document.createElement("template");
  template.innerHTML = html;
  const { content } = template;
  for (const element of content.querySelectorAll(UNWANTED_ELEMENTS)) element.remove();
  convertWordLists(content);
  for (const image of content.querySelectorAll("img")) {
    if (!/^https:/i.test(image.getAttribute("src") ?? "")) image.remove();
  }
  for (const link of content.querySelectorAll("a")) {
    if (!/^(https?|mailto):/i.test(link.getAttribute("href") ?? "")) unwrap(link);
  }
  for (const paragraph of content.querySelectorAll("p")) {
    // Word and many editors write an empty line as a paragraph with a no-break space.
    const isEmpty = paragraph.textContent?.trim() === "" && !paragraph.querySelector("img");
    if (isEmpty) paragraph.remove();
  }
  for (const element of content.querySelectorAll<HTMLElement>("*")) cleanAttributes(element);
  return template.innerHTML;
}

function cleanAttributes(element: HTMLElement): void {
  // Some editors write bold and italic only as styles.
  const { fontWeight, fontStyle } = element.style;
  for (const name of element.getAttributeNames()) {
    if (!WANTED_ATTRIBUTES.test(name)) element.removeAttribute(name);
  }
  if (fontWeight) element.style.fontWeight = fontWeight;
  if (fontStyle) element.style.fontStyle = fontStyle;
  // Pasted text must not become HTML in the story.
  if (element.dataset.type === "html") element.removeAttribute("data-type");
}

/** Converts Word's lists, which are paragraphs that begin with a bullet or number. */
function convertWordLists(content: DocumentFragment): void {
  const createdLists = new Set<Element>();
  for (const paragraph of content.querySelectorAll<HTMLElement>("p[class*=MsoListParagraph]")) {
    const marker = paragraph.querySelector<HTMLElement>("[style*='mso-list:Ignore']");
    const tag = /^\s*(\d+|[a-z])[.)]/i.test(marker?.textContent ?? "") ? "OL" : "UL";
    marker?.remove();
    const before = paragraph.previousElementSibling;
    const isSameList = before?.tagName === tag && createdLists.has(before);
    const list = isSameList ? before : document.createElement(tag);
    if (!isSameList) paragraph.parentNode?.insertBefore(list, paragraph);
    createdLists.add(list);
    const item = list.appendChild(document.createElement("li"));
    item.appendChild(paragraph);
  }
}

function unwrap(element: Element): void {
  for (const child of [...element.childNodes]) element.parentNode?.insertBefore(child, element);
  element.remove();
}
