import { MAX_DEPTH_LEVELS, MAX_KEY_BYTES } from "./constants.ts";
import { invalidRequest } from "./errors.ts";
import { isLongerThan } from "./text.ts";

/** The keys from the root down; empty for the root itself. */
export type Path = readonly string[];

/** The last segment of a path that means "the priority of the node above". */
export const PRIORITY_KEY = ".priority";

// oxlint-disable-next-line no-control-regex -- control characters are what the limit is about
const FORBIDDEN_IN_KEYS = /[.#$/[\]\u0000-\u001f\u007f]/;

/**
 * Parses a path as requests carry it: raw keys, never percent-encoded, separated by slashes of any number.
 *
 * @throws DatabaseError `failure` for a forbidden key or too many levels.
 */
export function parsePath(text: string): Path {
  const path = text.split("/").filter((key) => key !== "");
  for (const [index, key] of path.entries()) {
    if (key === PRIORITY_KEY && index === path.length - 1) continue;
    requireKey(key);
  }
  if (withoutPriority(path).length > MAX_DEPTH_LEVELS) {
    throw invalidRequest(`The path is deeper than ${MAX_DEPTH_LEVELS} levels.`);
  }
  return path;
}

/** Throws `failure` unless the text may name a child. */
export function requireKey(key: string): void {
  if (key === "") throw invalidRequest("A key is empty.");
  if (FORBIDDEN_IN_KEYS.test(key)) {
    throw invalidRequest(
      `Invalid key ${JSON.stringify(key)}: keys must not contain ".", "#", "$", "/", "[", "]" or control characters.`,
    );
  }
  if (isLongerThan(key, MAX_KEY_BYTES)) {
    throw invalidRequest(`A key is longer than ${MAX_KEY_BYTES} bytes.`);
  }
}

/** Returns the form that pushes carry: no leading slash, the root is empty. */
export function formatPath(path: Path): string {
  return path.join("/");
}

/** Returns the node a path speaks of: itself, or the owner of the priority. */
export function withoutPriority(path: Path): Path {
  return path.at(-1) === PRIORITY_KEY ? path.slice(0, -1) : path;
}

/** Tells whether `path` is `ancestor` or lies below it. */
export function isAtOrBelow(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((key, index) => path[index] === key);
}
