/** A part of a text. */
export interface TextPart {
  text: string;
  /** The address, if the part is a link. */
  href?: string;
}

/** Direction marks end an address: they can make it look like another one. */
const ADDRESS = /(?<![\p{L}\p{N}_])https?:\/\/(?:(?!\p{Bidi_Control})[^\s<>"“”])+/giu;

const TRAILING_PUNCTUATION = new Set("?!.,:;*_~'’»…");

const BRACKETS = { ")": "(", "]": "[", "}": "{" };

/** One emoji: a flag, a keycap, or a picture with its modifiers and joined pictures. */
const EMOJI =
  String.raw`(?:\p{Regional_Indicator}{2}|[\d#*]\uFE0F?\u20E3|` +
  String.raw`(?!\p{Regional_Indicator}|\p{Emoji_Modifier})` +
  String.raw`(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=\uFE0F|\p{Emoji_Modifier}))` +
  String.raw`\uFE0F?\p{Emoji_Modifier}?[\u{E0020}-\u{E007F}]*` +
  String.raw`(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*)`;

const ONE_TO_THREE_EMOJI = new RegExp(String.raw`^(?:\s*${EMOJI}){1,3}\s*$`, "u");

/** Splits a text at its http and https addresses. The parts together are the text, unchanged. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = trimAddress(match);
    const href = toHref(address);
    if (href === null) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Whether a text is one to three emoji and nothing else. */
export function isEmojiOnly(text: string): boolean {
  return ONE_TO_THREE_EMOJI.test(text);
}

/**
 * Removes the punctuation that belongs to the sentence around an address.
 *
 * @see https://github.github.com/gfm/#extended-autolink-path-validation
 */
function trimAddress(match: string): string {
  const surplus = new Map(
    Object.entries(BRACKETS).map(([closing, opening]) => [
      closing,
      count(match, closing) - count(match, opening),
    ]),
  );
  let end = match.length;
  for (; end > 0; end -= 1) {
    const last = match.charAt(end - 1);
    const unmatched = surplus.get(last) ?? 0;
    if (unmatched > 0) surplus.set(last, unmatched - 1);
    else if (!TRAILING_PUNCTUATION.has(last)) break;
  }
  return match.slice(0, end);
}

/** Returns `null` for addresses with a user name or password, which can hide the site that they lead to. */
function toHref(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && url.username === "" && url.password === "" ? url.href : null;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
