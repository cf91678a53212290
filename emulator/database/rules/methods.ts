import type { Snapshot } from "./snapshot.ts";

/**
 * The type of an expression as far as it is known at compile time. `value` is a boolean, number, string or null, such as
 * `data.val()`. `any` can also be an object, such as a claim of `auth`.
 */
export type StaticType =
  | "snapshot"
  | "query"
  | "boolean"
  | "number"
  | "string"
  | "null"
  | "value"
  | "any";

interface Method<Target, Parameters = number> {
  /** The number of string arguments. `keys` is an optional list of strings. */
  readonly parameters: Parameters;
  readonly returns: StaticType;
  readonly call: (target: Target, args: readonly string[]) => unknown;
}

/** @see https://firebase.google.com/docs/reference/security/database#ruledatasnapshot */
export const SNAPSHOT_METHODS = new Map<string, Method<Snapshot, number | "keys">>([
  ["val", { parameters: 0, returns: "value", call: (snapshot) => snapshot.val() }],
  [
    "child",
    { parameters: 1, returns: "snapshot", call: (snapshot, [path = ""]) => snapshot.child(path) },
  ],
  ["parent", { parameters: 0, returns: "snapshot", call: (snapshot) => snapshot.parent() }],
  [
    "hasChild",
    { parameters: 1, returns: "boolean", call: (snapshot, [path = ""]) => snapshot.hasChild(path) },
  ],
  [
    "hasChildren",
    {
      parameters: "keys",
      returns: "boolean",
      call: (snapshot, keys) => snapshot.hasChildren(keys),
    },
  ],
  ["exists", { parameters: 0, returns: "boolean", call: ({ node }) => node !== null }],
  ["getPriority", { parameters: 0, returns: "value", call: ({ node }) => node?.priority ?? null }],
  ["isNumber", { parameters: 0, returns: "boolean", call: (data) => hasType(data, "number") }],
  ["isString", { parameters: 0, returns: "boolean", call: (data) => hasType(data, "string") }],
  ["isBoolean", { parameters: 0, returns: "boolean", call: (data) => hasType(data, "boolean") }],
]);

/**
 * Without `matches`, whose argument is not a string.
 *
 * @see https://firebase.google.com/docs/reference/security/database#string_methods
 */
export const STRING_METHODS = new Map<string, Method<string>>([
  [
    "contains",
    { parameters: 1, returns: "boolean", call: (text, [part = ""]) => text.includes(part) },
  ],
  [
    "beginsWith",
    { parameters: 1, returns: "boolean", call: (text, [part = ""]) => text.startsWith(part) },
  ],
  [
    "endsWith",
    { parameters: 1, returns: "boolean", call: (text, [part = ""]) => text.endsWith(part) },
  ],
  [
    "replace",
    {
      parameters: 2,
      returns: "string",
      // A function, because "$&" has no special meaning in rules.
      call: (text, [part = "", replacement = ""]) => text.replaceAll(part, () => replacement),
    },
  ],
  ["toLowerCase", { parameters: 0, returns: "string", call: (text) => text.toLowerCase() }],
  ["toUpperCase", { parameters: 0, returns: "string", call: (text) => text.toUpperCase() }],
]);

function hasType({ node }: Snapshot, type: "number" | "string" | "boolean"): boolean {
  return node?.kind === "leaf" && typeof node.value === type;
}
