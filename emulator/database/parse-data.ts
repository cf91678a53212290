import { MAX_DEPTH_LEVELS, MAX_STRING_BYTES } from "./constants.ts";
import { DatabaseError, createInvalidRequestError } from "./errors.ts";
import { PRIORITY_KEY, isAtOrBelow, parsePath, requireKey, type Path } from "./path.ts";
import { parseServerValue, type DeferredNode, type DeferredValue } from "./server-values.ts";
import { isLongerThan } from "./byte-length.ts";
import { createBranch, createLeaf } from "./tree.ts";

/** Replaces the node at one path. */
export interface Change {
  readonly path: Path;
  readonly data: DeferredNode | null;
}

/**
 * Parses the data of a put: JSON, with priorities and server values.
 *
 * @throws DatabaseError `failure` for bad keys, depth or values, `too_big` for a string over the limit.
 */
export function parsePut(pathText: string, data: unknown): Change {
  const path = parsePath(pathText);
  if (path.at(-1) === PRIORITY_KEY) {
    const priority = parsePriority(data);
    return { path, data: priority === null ? null : createLeaf(priority) };
  }
  return { path, data: parseNode(data, path.length) };
}

/**
 * Parses the data of a merge: each key is a path below the given one, each value replaces the data there.
 *
 * @throws DatabaseError as `parsePut` does, and `failure` when one path is at or below another.
 */
export function parseMerge(pathText: string, data: unknown): Change[] {
  if (!isRecord(data)) throw createInvalidRequestError("An update must be an object.");
  const changes = Object.entries(data).map(([key, value]) => {
    if (!key.includes("/") && key !== PRIORITY_KEY) requireKey(key);
    return parsePut(`${pathText}/${key}`, value);
  });
  requireDisjointPaths(changes);
  return changes;
}

/** Compares neighbours only: in this order, a path comes directly before the paths below it. */
function requireDisjointPaths(changes: Change[]): void {
  const sorted = changes.map(({ path }) => path).toSorted(comparePaths);
  for (const [index, path] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next && isAtOrBelow(next, path)) {
      throw createInvalidRequestError(
        `An update must not contain "/${path.join("/")}" and a path below it.`,
      );
    }
  }
}

function comparePaths(a: Path, b: Path): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (key !== other) return key < other ? -1 : 1;
  }
  return a.length - b.length;
}

function parseNode(json: unknown, depth: number): DeferredNode | null {
  if (depth > MAX_DEPTH_LEVELS) {
    throw createInvalidRequestError(`The data is deeper than ${MAX_DEPTH_LEVELS} levels.`);
  }
  if (json === null) return null;
  if (!isRecord(json)) return createLeaf(parseLeafValue(json));
  if (Object.hasOwn(json, ".sv")) return createLeaf<DeferredValue>(parseServerValue(json[".sv"]));

  const priority = parsePriority(Object.hasOwn(json, PRIORITY_KEY) ? json[PRIORITY_KEY] : null);
  // Keys with a leading dot are reserved. Unknown ones are ignored.
  const entries = Object.entries(json).filter(([key]) => !key.startsWith("."));
  if (Object.hasOwn(json, ".value")) {
    if (entries.length > 0)
      throw createInvalidRequestError('".value" is not allowed beside children.');
    const value = json[".value"];
    if (value === null) return null;
    if (!isRecord(value)) return createLeaf(parseLeafValue(value), priority);
    if (Object.hasOwn(value, ".sv")) {
      return createLeaf<DeferredValue>(parseServerValue(value[".sv"]), priority);
    }
    throw createInvalidRequestError('".value" must be a string, a number or a boolean.');
  }

  const children = new Map<string, DeferredNode>();
  for (const [key, value] of entries) {
    requireKey(key);
    const child = parseNode(value, depth + 1);
    if (child !== null) children.set(key, child);
  }
  return createBranch(children, priority);
}

function parseLeafValue(json: unknown): string | number | boolean {
  if (typeof json === "boolean") return json;
  if (typeof json === "number" && Number.isFinite(json)) return json;
  if (typeof json === "string") {
    if (isLongerThan(json, MAX_STRING_BYTES)) {
      throw new DatabaseError("too_big", `A string is longer than ${MAX_STRING_BYTES} bytes.`);
    }
    return json;
  }
  throw createInvalidRequestError("A value must be a string, a finite number, a boolean or null.");
}

function parsePriority(json: unknown): DeferredValue | null {
  if (json === null || typeof json === "string") return json;
  if (typeof json === "number" && Number.isFinite(json)) return json;
  if (isRecord(json) && Object.hasOwn(json, ".sv")) {
    const value = parseServerValue(json[".sv"]);
    if (value.type === "timestamp") return value;
  }
  throw createInvalidRequestError(
    "A priority must be a string, a finite number or a server timestamp.",
  );
}

/** Includes arrays, whose indices are keys. */
function isRecord(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null;
}
