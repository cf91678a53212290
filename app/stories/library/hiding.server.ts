import { normalizeTag } from "#app/stories/terms.ts";
import type { HiddenItem } from "./library.ts";

/** What a story can be hidden by. */
interface Hideable {
  id: string;
  tags?: readonly string[];
  /** The id of the author's page, in lists; `null` without an author. */
  writer?: string | null;
  /** The same in stories. */
  uid?: string;
}

/** Returns what a story is hidden by; `undefined` if it is not hidden. */
export type FindHiding = (story: Hideable) => HiddenItem | undefined;

export function createHiding(hidden: readonly HiddenItem[]): FindHiding {
  if (hidden.length === 0) return () => undefined;
  const items = new Map(hidden.map((item) => [toKey(item.kind, item.id), item]));
  const hasTags = hidden.some(({ kind }) => kind === "tag");
  return ({ id, tags = [], writer, uid = writer ?? "" }) =>
    items.get(toKey("story", id)) ??
    items.get(toKey("writer", uid)) ??
    (hasTags
      ? tags.map((tag) => items.get(toKey("tag", normalizeTag(tag)))).find(Boolean)
      : undefined);
}

/** Returns what stays hidden on a page about a writer or tags, which its address names. */
export function withoutAsked(
  hidden: readonly HiddenItem[],
  { writer, tags }: { writer: string; tags: readonly string[] },
): HiddenItem[] {
  const asked = [toKey("writer", writer), ...tags.map((tag) => toKey("tag", normalizeTag(tag)))];
  return hidden.filter(({ kind, id }) => !asked.includes(toKey(kind, id)));
}

export function isTagHidden(hidden: readonly HiddenItem[], tag = ""): boolean {
  return hidden.some(({ kind, id }) => kind === "tag" && id === normalizeTag(tag));
}

function toKey(kind: HiddenItem["kind"], id: string): string {
  return `${kind} ${id}`;
}
