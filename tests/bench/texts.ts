import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

// Lists the texts that users can see, as `file:line  text`, for proofreading. It lists too many rather than too few: it
// omits a string only when its position or format shows that it is a name or a value. It lists a single lower-case word
// only inside JSX. It does not list the stories themselves (books.json, public/assets/stories, the seed).

/** JSX attributes with names and values. All other attributes are listed. */
const VALUE_ATTRIBUTES =
  /^(aria-(current|live|hidden|invalid|pressed|labelledby|describedby|controls|haspopup|expanded)|data-.*|class(Name)?|rel|href|src|to|id|key|name|type|role|method|.*[aA]ction|as|lang|form|size|tab|section|screen|path|returnTo|current|variant|severity|icon|intent|property|media|target|auto(Complete|Capitalize)|inputMode|accept|viewBox|d|decoding|loading|referrerPolicy)$/;
/** Functions that take names, selectors and values as strings. */
const VALUE_CALLS =
  /^(get|set|has|append|delete|getAll|startsWith|endsWith|includes|indexOf|split|join|matches|replace|replaceAll|querySelector|querySelectorAll|closest|matchMedia|getElementById|add|removeEventListener|addEventListener|dispatchEvent)$/;
/** Functions whose strings appear in logs and terminals. */
const LOG_CALLS = /Error$|^(error|warn|log|assert)$/;
const STYLE_OR_SCRIPT = /<(style|script)[^>]*>[\s\S]*?<\/\1>/g;
const TAG = /<[^>]+>/g;
const TEXT_IN_TAG = /\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g;

const SCREENS = "Seen by users";
const LOGS = "Thrown and logged";
const EMULATOR = "Emulator: pages and messages in the terminal";
const sections = new Map<string, string[]>([SCREENS, LOGS, EMULATOR].map((name) => [name, []]));

for (const folder of ["app", "functions", "emulator"]) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(folder, name);
    if (path.endsWith(".css")) listStyles(path, readFileSync(path, "utf8"));
    if (/\.tsx?$/.test(path)) listCode(path, readFileSync(path, "utf8"));
  }
}
for (const [name, lines] of sections) {
  console.log(`\n## ${name} (${lines.length})\n${lines.join("\n")}`);
}

function listCode(path: string, code: string) {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isJsxAttribute(node) && VALUE_ATTRIBUTES.test(node.name.getText())) return;
    const text = toText(node);
    if (text !== undefined && !isValue(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      list(path, line + 1, text, { isInJsx: isInJsx(node), isLog: isArgument(node, LOG_CALLS) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** Returns the text of a string, a template or JSX text, with expressions in braces. */
function toText(node: ts.Node): string | undefined {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${expression.getText()}}${literal.text}`,
  );
  return node.head.text + spans.join("");
}

/** Whether a string is a key, part of a comparison, or an argument of a function that takes values. */
function isValue(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name === node;
  if (ts.isBinaryExpression(parent)) return /^([=!]==?|in)$/.test(parent.operatorToken.getText());
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true;
  return isArgument(node, VALUE_CALLS);
}

function isArgument({ parent }: ts.Node, names: RegExp): boolean {
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  const { expression } = parent;
  return names.test(
    ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText(),
  );
}

function isInJsx({ parent }: ts.Node): boolean {
  if (ts.isConditionalExpression(parent) || ts.isBinaryExpression(parent)) return isInJsx(parent);
  return ts.isJsxElement(parent) || ts.isJsxExpression(parent) || ts.isJsxAttribute(parent);
}

function listStyles(path: string, css: string) {
  for (const [index, line] of css.split("\n").entries()) {
    const [, text] = /content:\s*"([^"\\]*)"/.exec(line) ?? [];
    if (text !== undefined) list(path, index + 1, text, { isInJsx: true, isLog: false });
  }
}

function list(path: string, line: number, raw: string, at: { isInJsx: boolean; isLog: boolean }) {
  const text = raw
    .replace(STYLE_OR_SCRIPT, " ")
    .replace(
      TAG,
      (tag) => ` ${[...tag.matchAll(TEXT_IN_TAG)].map(([, words]) => words).join(" ")} `,
    )
    .replace(/\s+/g, " ")
    .trim();
  if (at.isInJsx ? !/\p{L}/u.test(text) : !isSentence(text)) return;
  const section = path.startsWith("emulator/") ? EMULATOR : at.isLog ? LOGS : SCREENS;
  sections.get(section)?.push(`${path}:${line}  ${text}`);
}

/** Whether a text is several words, but no selector, URL, header or SVG path; or one word with a capital or full stop. */
function isSentence(text: string): boolean {
  const words = text.replace(/\{[^}]*\}/g, "x");
  if (/^([.#@[(:/]|https?:|[mM][\d.]+ ?[\d.]|[\w-]+[=/]|-)|[;{}]$|^[\w-]+ '/.test(words))
    return false;
  return (
    /\p{L}.*\s.*\p{L}/su.test(words) ||
    /^(\p{Lu}\p{L}*\p{Ll}[\s.…!?:]*|\p{Ll}+[.…!?])$/u.test(words)
  );
}
