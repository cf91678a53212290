/**
 * The tags that pasted texts may contain. They are not shown. All other tags are text, like `<sighs>`, `<a long pause>` or
 * the name in `<Anna> Hello!`, and so are comments.
 */
const BLOCK_NAMES =
  "blockquote|br|BR|center|div|h[1-6]|hr|li|ol|p|pre|table|tbody|td|tfoot|th|thead|tr|ul";
const INLINE_NAMES =
  "a|abbr|b|big|cite|code|del|em|font|i|img|ins|kbd|q|s|small|span|strike|strong|sub|sup|tt|u";

const ATTRIBUTE = String.raw`\s+(?:(?:compact|noshade|nowrap|reversed)(?=[\s/>])|[^\s=<>"'/]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))`;

/** Tags that begin a new line. */
const BLOCK_TAG = createPattern(BLOCK_NAMES);

const TAG = createPattern(`${BLOCK_NAMES}|${INLINE_NAMES}`);

export function isHtmlTag(text: string): boolean {
  return text.search(TAG) === 0;
}

export function isBlockTag(text: string): boolean {
  return text.search(BLOCK_TAG) === 0;
}

/** Returns the text without HTML tags. Tags that begin a new line become spaces, because they separate words. */
export function removeHtmlTags(markdown: string): string {
  return markdown.replaceAll(TAG, (tag) => (isBlockTag(tag) ? " " : ""));
}

/** Returns the first tag that is not shown. */
export function findHtmlTag(markdown: string): string | undefined {
  return markdown.match(TAG)?.[0];
}

/**
 * A tag after a backslash is text in Markdown.
 *
 * @param names in lower case: `<I>` may be somebody's name
 */
function createPattern(names: string): RegExp {
  return new RegExp(String.raw`(?<!\\)</?(?:${names})(?:${ATTRIBUTE})*\s*/?>`, "g");
}
