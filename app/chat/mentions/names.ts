import { createContext, useMemo, useState } from "react";

import { ANONYMOUS, type Message } from "#app/chat/message.ts";
import type { PeopleHere } from "#app/chat/presence.ts";
import type { Viewer } from "#app/chat/use-first-unread.ts";
import { isVisible } from "#app/http/text.ts";
import { MAX_NAME_LENGTH, type User } from "#app/session/user.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";

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
