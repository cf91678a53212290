import { permissionDenied } from "./errors.ts";

const INFO_PATHS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["connected", true],
  ["serverTimeOffset", 0],
]);

/** Returns what a get below `/.info` answers, or `undefined` when the path is elsewhere. */
export function findInfo(pathText: string): unknown {
  const [first, ...rest] = keysOf(pathText);
  return first === ".info" ? (INFO_PATHS.get(rest.join("/")) ?? null) : undefined;
}

/**
 * Refuses paths below `/.info`, which clients serve to themselves.
 *
 * @throws DatabaseError `permission_denied`
 */
export function requirePublicPath(pathText: string): void {
  if (keysOf(pathText)[0] === ".info") throw permissionDenied();
}

function keysOf(pathText: string): string[] {
  return pathText.split("/").filter((key) => key !== "");
}
