import type { Data, Processor } from "unified";

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Construct = Extract<NonNullable<Extension["text"]>[number], { tokenize: unknown }>;
type Context = Parameters<NonNullable<Construct["resolveAll"]>>[1];

const ASTERISK = 42;

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
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { text: { [ASTERISK]: emphasis } },
  ];
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
