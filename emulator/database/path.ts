import { MAX_DEPTH_LEVELS, MAX_KEY_BYTES } from "./constants.ts";
import { createInvalidRequestError } from "./errors.ts";
import { isLongerThan } from "./byte-length.ts";

/** The keys from the root down; empty for the root itself. */
export type Path = readonly string[];

/** As the last segment of a path, it means the priority of the parent node. */
export const PRIORITY_KEY = ".priority";

// oxlint-disable-next-line no-control-regex -- Firebase forbids control characters
const FORBIDDEN_IN_KEYS = /[.#$/[\]\u0000-\u001f\u007f]/;

/**
 * Parses the path of a request: keys that are not percent-encoded, separated by one or more slashes.
 *
 * @throws DatabaseError `failure` for a forbidden key or too many levels.
 */
export function parsePath(text: string): Path {
  const path = splitKeys(text);
  for (const [index, key] of path.entries()) {
    if (key === PRIORITY_KEY && index === path.length - 1) continue;
    requireKey(key);
  }
  if (withoutPriority(path).length > MAX_DEPTH_LEVELS) {
    throw createInvalidRequestError(`The path is deeper than ${MAX_DEPTH_LEVELS} levels.`);
  }
  return path;
}

/** Splits a path into its keys, without checking them. */
export function splitKeys(text: string): Path {
  return text.split("/").filter((key) => key !== "");
}

/** @throws DatabaseError `failure` when the key is empty, too long or contains a forbidden character. */
export function requireKey(key: string): void {
  if (key === "") throw createInvalidRequestError("A key is empty.");
  if (FORBIDDEN_IN_KEYS.test(key)) {
    throw createInvalidRequestError(
      `Invalid key ${JSON.stringify(key)}: keys must not contain ".", "#", "$", "/", "[", "]" or control characters.`,
    );
  }
  if (isLongerThan(key, MAX_KEY_BYTES)) {
    throw createInvalidRequestError(`A key is longer than ${MAX_KEY_BYTES} bytes.`);
  }
}

/** Returns the path in the format of pushes: without a leading slash, and empty for the root. */
export function formatPath(path: Path): string {
  return path.join("/");
}

/** Returns the path of the node, for a path that may end in `.priority`. */
export function withoutPriority(path: Path): Path {
  return path.at(-1) === PRIORITY_KEY ? path.slice(0, -1) : path;
}

/** Whether `path` is at or below `ancestor`. */
export function isAtOrBelow(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((key, index) => path[index] === key);
}
