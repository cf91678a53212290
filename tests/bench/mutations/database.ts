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
    name: "an exclusive end without a key takes in nothing of its value",
    file: QUERY,
    original: "en ?? (ein ? MAX_KEY : MIN_KEY)",
    replacement: "en ?? MAX_KEY",
    tests: DATABASE_TESTS,
  },
  {
    name: "the last ones are taken from the end",
    file: QUERY,
    original: "[-query.l]",
    replacement: "[0, query.l]",
    tests: DATABASE_TESTS,
  },
  {
    name: "the rules are asked when something is left for a disconnect",
    file: ON_DISCONNECT,
    original: "  requireAllowed(database, session.identity, changes, now);\n",
    replacement: "",
    tests: DATABASE_TESTS,
  },
  {
    name: "what rules refuse together is tried alone",
    file: ON_DISCONNECT,
    original: " || writes.length === 1) return;",
    replacement: " || writes.length >= 1) return;",
    tests: DATABASE_TESTS,
  },
  {
    name: "the rules do not bind the administrator",
    file: WRITE,
    original: "!identity.isAdmin && ",
    replacement: "",
    tests: DATABASE_TESTS,
  },
  {
    name: "a branch that is emptied disappears",
    file: TREE,
    original: "children.size === 0 ? null : {",
    replacement: "children.size < 0 ? null : {",
    tests: DATABASE_TESTS,
  },
];
