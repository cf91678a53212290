import type { Data, Processor } from "unified";

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Construct = Extract<NonNullable<Extension["contentInitial"]>[number], { tokenize: unknown }>;
type Context = Parameters<NonNullable<Construct["resolveAll"]>>[1];

/** A web page, an e-mail address, or the `#` and `<>` of comments such as `[//]: # (a comment)`. */
const DESTINATION = /^(?:<?(?:https?:|mailto:)|#$|<>$)/i;

const EXCLAMATION_MARK = 33;
const ASTERISK = 42;
const OPENING_BRACKET = 91;

/** Like the link definition of CommonMark, but reads a line of dialogue such as `[Anna]: Hello!` as text. */
const linkDefinition: Construct = {
  name: "linkDefinition",
  tokenize(effects, ok, nok) {
    const { parser } = this;
    const definition = [parser.constructs.contentInitial?.[OPENING_BRACKET] ?? []]
      .flat()
      .find(({ name }) => name === "definition");
    if (!definition) return nok;
    return definition.tokenize.call(
      this,
      effects,
      (code) => {
        const destination = this.events.findLast(
          ([, { type }]) => type === "definitionDestination",
        );
        if (destination && DESTINATION.test(this.sliceSerialize(destination[1]))) return ok(code);
        parser.defined.pop();
        return nok(code);
      },
      nok,
    );
  },
};

/**
 * A plugin for `remark-parse`. Without it, text in the form of a link definition would disappear from the story, and
 * each `[Anna]` in the text would be a link.
 */
export function keepDialogue(this: Processor): void {
  extendParser(this, {
    contentInitial: { [OPENING_BRACKET]: linkDefinition },
    disable: { null: ["definition"] },
  });
}

/** A plugin for `remark-parse`. Adds definitions that other parts of the text have, so that references become links. */
export function addDefinitions(this: Processor, identifiers: readonly string[]): void {
  const known = identifiers.map((identifier) => identifier.toUpperCase());
  const parsers = new WeakSet();
  /** Matches nothing, but is called before any reference is read. */
  const construct: Construct = {
    name: "addDefinitions",
    tokenize(_effects, _ok, nok) {
      if (!parsers.has(this.parser)) this.parser.defined.push(...known);
      parsers.add(this.parser);
      return nok;
    },
  };
  extendParser(this, { text: { [EXCLAMATION_MARK]: construct, [OPENING_BRACKET]: construct } });
}

/** Chinese, Japanese and Korean letters and punctuation, or the first half of a surrogate pair with one of them. */
const CJK =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\uFF01-\uFFEE\uD840-\uD8BF]/u;

/**
 * Like the emphasis of CommonMark, which expects spaces between words and so ignores the `**` between a letter and
 * punctuation in `これは**「重要」**です`.
 *
 * @see https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md
 */
const emphasis: Construct = {
  name: "cjkEmphasis",
  tokenize(effects, ok, nok) {
    const attention = findAttention(this);
    if (!attention) return nok;
    const before = this.previous;
    return attention.tokenize.call(
      this,
      effects,
      (after) => {
        const sequence = this.events.at(-1)?.[1];
        if (sequence && (isCjk(before) || isCjk(after))) {
          sequence._open ||= !isSpace(after);
          sequence._close ||= !isSpace(before);
        }
        return ok(after);
      },
      nok,
    );
  },
  resolveAll(events, context) {
    return findAttention(context)?.resolveAll?.(events, context) ?? events;
  },
};

/** A plugin for `remark-parse`. Without it, bold and italic words beside Chinese or Japanese punctuation show their asterisks. */
export function readCjkEmphasis(this: Processor): void {
  extendParser(this, { text: { [ASTERISK]: emphasis } });
}

function findAttention({ parser }: Context): Construct | undefined {
  return [parser.constructs.text?.[ASTERISK] ?? []]
    .flat()
    .find((construct): construct is Construct => construct.name === "attention");
}

function isCjk(code: number | null): boolean {
  return code !== null && code >= 0 && CJK.test(String.fromCharCode(code));
}

/** Whether a code is the end of the text, the end of a line, a tab or a space. */
function isSpace(code: number | null): boolean {
  return code === null || code < 0 || /\s/.test(String.fromCharCode(code));
}

/** A plugin for `remark-parse`. Reads the lines of an HTML block as a paragraph, so that its words are shown. */
export function readHtmlAsText(this: Processor): void {
  extendParser(this, { disable: { null: ["htmlFlow"] } });
}

function extendParser(processor: Processor, extension: Extension): void {
  const data = processor.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), extension];
}
