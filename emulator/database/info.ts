import { createPermissionDeniedError } from "./errors.ts";
import { splitKeys } from "./path.ts";

const INFO_PATHS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["connected", true],
  ["serverTimeOffset", 0],
]);

/** Returns the value of a path below `/.info`, or `undefined` for any other path. */
export function findInfo(pathText: string): unknown {
  const [first, ...rest] = splitKeys(pathText);
  return first === ".info" ? (INFO_PATHS.get(rest.join("/")) ?? null) : undefined;
}

/**
 * Rejects paths below `/.info`, which the SDK provides itself.
 *
 * @throws DatabaseError `permission_denied`
 */
export function requirePublicPath(pathText: string): void {
  if (splitKeys(pathText)[0] === ".info") throw createPermissionDeniedError();
}
