import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import type { Names } from "./names.ts";

/**
 * An `@` that may begin a mention. It does not follow a part of a word or of an address, except a letter of a script that
 * has no spaces between words.
 */
const MENTION_START =
  /(?<![\p{L}\p{N}\p{M}\p{Pc}@.%+\-/:=#&~\\](?<!\p{scx=Hani}|\p{scx=Hira}|\p{scx=Kana}|\p{scx=Thai}|\p{scx=Laoo}|\p{scx=Khmr}|\p{scx=Mymr}))@/gu;

/** How many are looked for in a text, because looking for a long name takes time. */
const MAX_MENTIONS = 50;

export interface MentionPart {
  text: string;
  /** Its position in the whole text, in UTF-16 code units. */
  start: number;
  /** Whose name it is, if the part is a mention. */
  mention?: "own" | "other";
}

/** Splits a text at its mentions, such as `@Ana Reyes`. The parts together are the text, unchanged. */
export function splitMentions(text: string, names: Names): MentionPart[] {
  const parts: MentionPart[] = [];
  let end = 0;
  for (const { index } of [...text.matchAll(MENTION_START)].slice(0, MAX_MENTIONS)) {
    const name = index < end ? null : names.find(text, index + 1);
    if (!name) continue;
    if (index > end) parts.push({ text: text.slice(end, index), start: end });
    parts.push({
      text: text.slice(index, name.end),
      start: index,
      mention: name.isOwn ? "own" : "other",
    });
    end = name.end;
  }
  if (end < text.length) parts.push({ text: text.slice(end), start: end });
  return parts;
}

/** Whether an input event is one of typing. After others, for example pasting, Enter must not choose a name. */
export function isTyping(event: Event): event is InputEvent {
  return (
    event instanceof InputEvent &&
    /^(?:insertText|insertCompositionText|delete)/.test(event.inputType)
  );
}

/** A mention that is being typed. */
export interface TypedMention {
  /** The position of its `@`. */
  start: number;
  /** What follows, up to the caret. */
  query: string;
}

/** Returns the mention that ends at the caret, or `null`. */
export function findTypedMention(textBeforeCaret: string): TypedMention | null {
  const start = [...textBeforeCaret.matchAll(MENTION_START)].at(-1)?.index;
  if (start === undefined) return null;
  const query = textBeforeCaret.slice(start + 1);
  return query.length > MAX_NAME_LENGTH || /^\s|[\n@]/.test(query) ? null : { start, query };
}
