import { createContext, useMemo, useState } from "react";

import { ANONYMOUS, type Message } from "#app/chat/message.ts";
import type { PeopleHere } from "#app/chat/presence.ts";
import type { Viewer } from "#app/chat/use-first-unread.ts";
import { isVisible } from "#app/http/text.ts";
import { MAX_NAME_LENGTH, type User } from "#app/session/user.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";

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

/** The names that messages can mention. */
export interface Names {
  /** Equal for the same names. */
  key: string;
  /** Those of other people, each once, in the order of the people. */
  others: readonly string[];
  /** Returns the longest name that begins at a position of a text, or `null`. Ignores upper and lower case. */
  find: (text: string, start: number) => FoundName | null;
}

interface FoundName {
  /** The position after the name. */
  end: number;
  /** Whether the user has this name. */
  isOwn: boolean;
}

/** What continues the word before it: another letter, or the rest of an address or of a compound name. */
const CONTINUATION =
  /^(?:[\p{L}\p{N}\p{M}\p{Pc}\p{Emoji_Modifier}\u200C\u200D]|[-.@/][\p{L}\p{N}])/u;

/** Enough characters to see whether a word continues. */
const CONTINUATION_LENGTH = 3;

/** A character of the names, with those that follow it. */
interface CharacterNode {
  next: Map<string, CharacterNode>;
  /** Set if a name ends here. */
  isOwn?: boolean;
}

/** Returns the names of people, without those that the user has hidden. */
export function createNames(
  people: readonly Pick<User, "uid" | "displayName">[],
  { uid, hiddenUids }: Viewer,
): Names {
  const shown = new Map<string, { name: string; isOwn: boolean }>();
  for (const person of people) {
    const name = hiddenUids.has(person.uid) ? null : normalizeName(person.displayName);
    const isOwn = person.uid === uid;
    if (name !== null) shown.set(`${isOwn} ${name}`, { name, isOwn });
  }
  const names = [...shown.values()];
  // Created with the first mention: few messages have one.
  let root: CharacterNode | undefined;

  return {
    key: [...shown.keys()].join("\n"),
    others: names.flatMap(({ name, isOwn }) => (isOwn ? [] : [name])),
    find(text, start) {
      root ??= createTree(names);
      return findName(root, text, start);
    },
  };
}

/** Returns a name as it is mentioned, in one line; `null` for one that is invisible, too long or "Anonymous". */
function normalizeName(name: string | null): string | null {
  const line = removeBidiControls(name ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const isName = isVisible(line) && line !== ANONYMOUS && line.length <= MAX_NAME_LENGTH;
  return isName ? line : null;
}

/** Creates a tree of the characters of names, so that finding one takes as long with many names as with few. */
function createTree(names: readonly { name: string; isOwn: boolean }[]): CharacterNode {
  const root: CharacterNode = { next: new Map() };
  for (const { name, isOwn } of names) {
    let node = root;
    for (const character of name) {
      const key = character.toLowerCase();
      const next = node.next.get(key) ?? { next: new Map() };
      node.next.set(key, next);
      node = next;
    }
    // Of several people with one name, the user is meant.
    node.isOwn = isOwn || node.isOwn === true;
  }
  return root;
}

function findName(root: CharacterNode, text: string, start: number): FoundName | null {
  let node: CharacterNode | undefined = root;
  let end = start;
  let found: FoundName | null = null;
  for (const character of text.slice(start, start + MAX_NAME_LENGTH)) {
    node = node.next.get(character.toLowerCase());
    if (!node) break;
    end += character.length;
    if (node.isOwn === undefined) continue;
    if (!CONTINUATION.test(text.slice(end, end + CONTINUATION_LENGTH))) {
      found = { end, isOwn: node.isOwn };
    }
  }
  return found;
}

/** The names that messages can mention. */
export const NamesContext = createContext<Names>(
  createNames([], { uid: undefined, hiddenUids: new Set() }),
);

/**
 * Returns the names of those who wrote the messages, the newest first, and of those who are here. Returns the same object
 * until they change, because a new one renders all messages with mentions again.
 */
export function useNames(
  messages: readonly Message[],
  here: PeopleHere | null,
  user: User | null,
  viewer: Viewer,
): Names {
  const current = useMemo(
    () =>
      createNames(
        [
          ...messages.toReversed(),
          ...(user ? [user] : []),
          ...(here?.people.map(({ uid, name }) => ({ uid, displayName: name })) ?? []),
        ],
        viewer,
      ),
    [messages, here, user, viewer],
  );
  const [names, setNames] = useState(current);
  if (names.key === current.key) return names;
  setNames(current);
  return current;
}
