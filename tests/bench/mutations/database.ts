import type { Mutation } from "./mutation.ts";

const QUERY = "emulator/database/query.ts";
const ON_DISCONNECT = "emulator/database/on-disconnect.ts";
const WRITE = "emulator/database/write.ts";
const TREE = "emulator/database/tree.ts";
const DATABASE_TESTS = [
  "tests/emulator/database-query.test.ts",
  "tests/emulator/database-listen.test.ts",
  "tests/emulator/database-write.test.ts",
  "tests/emulator/database-on-disconnect.test.ts",
  "tests/emulator/database-rest.test.ts",
  "tests/emulator/database-rules.test.ts",
  "tests/emulator/database-transaction.test.ts",
];

/** The local Realtime Database. */
export const DATABASE_MUTATIONS: readonly Mutation[] = [
  {
    name: "an exclusive end without a key excludes every entry with its value",
    file: QUERY,
    original: "en ?? (ein ? MAX_KEY : MIN_KEY)",
    replacement: "en ?? MAX_KEY",
    tests: DATABASE_TESTS,
  },
  {
    name: "limitToLast selects from the end",
    file: QUERY,
    original: "[-query.l]",
    replacement: "[0, query.l]",
    tests: DATABASE_TESTS,
  },
  {
    name: "checks the rules when an onDisconnect operation is set",
    file: ON_DISCONNECT,
    original: "  requireAllowedResult(database, session.identity, changes, now);\n",
    replacement: "",
    tests: DATABASE_TESTS,
  },
  {
    name: "tries onDisconnect operations one by one when the rules deny them together",
    file: ON_DISCONNECT,
    original: " || writes.length === 1) return;",
    replacement: " || writes.length >= 1) return;",
    tests: DATABASE_TESTS,
  },
  {
    name: "does not apply the rules to an administrator",
    file: WRITE,
    original: "!identity.isAdmin &&\n",
    replacement: "",
    tests: DATABASE_TESTS,
  },
  {
    name: "removes a branch without children",
    file: TREE,
    original: "children.size === 0 ? null : {",
    replacement: "children.size < 0 ? null : {",
    tests: DATABASE_TESTS,
  },
];
