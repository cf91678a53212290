import type { Mutation } from "./mutation.ts";

const KEEPER = "app/writing/autosave/autosave.ts";
const COPIES = "app/writing/autosave/local-drafts.ts";
const BACKOFF = "app/writing/autosave/backoff.ts";
const DRAFTS = "app/writing/drafts/drafts.server.ts";
const DRAFT_WRITES = "app/writing/drafts/draft-writes.server.ts";

const KEEPER_TESTS = [
  "tests/writing/autosave.test.ts",
  "tests/writing/autosave-conflict.test.ts",
  "tests/writing/autosave-elsewhere.test.ts",
  "tests/writing/local-drafts.test.ts",
];
const DRAFT_TESTS = [
  "tests/writing/drafts.test.ts",
  "tests/writing/create-conflict.test.ts",
  "tests/writing/create.test.ts",
];

/** What somebody writes: autosave, copies on the device, drafts and stories in the account. */
export const DRAFT_MUTATIONS: readonly Mutation[] = [
  {
    name: "the copy knows what was sent before it is sent",
    file: KEEPER,
    original: "    if (isOnDevice || this.isAhead) this.#keepOnDevice();\n",
    replacement: "",
    tests: KEEPER_TESTS,
  },
  {
    name: "a save that arrived while its answer was lost is known again",
    file: KEEPER,
    original: "if (!isHere && !this.#unheard.includes(words)) return false;",
    replacement: "if (!isHere) return false;",
    tests: KEEPER_TESTS,
  },
  {
    name: "while a conflict stands nothing is saved",
    file: KEEPER,
    original: "    if (this.#state.conflict) return Promise.resolve();\n",
    replacement: "",
    tests: KEEPER_TESTS,
  },
  {
    name: "one's own text that is chosen replaces the other as a version",
    file: KEEPER,
    original: "    this.#isOverwrite = true;\n",
    replacement: "",
    tests: KEEPER_TESTS,
  },
  {
    name: "the other text is taken only once one's own is a version",
    file: KEEPER,
    original: "let isKept = areSame(fields, toFields(conflict));",
    replacement: "let isKept = true;",
    tests: KEEPER_TESTS,
  },
  {
    name: "a tab with unsaved words follows no other",
    file: KEEPER,
    original: "kept.revision <= this.#state.revision || this.isAhead",
    replacement: "kept.revision <= this.#state.revision",
    tests: KEEPER_TESTS,
  },
  {
    name: "typing without a pause is saved all the same",
    file: KEEPER,
    original: "Math.min(pause, since + most - now)",
    replacement: "Math.max(pause, since - now)",
    tests: KEEPER_TESTS,
  },
  {
    name: "a success makes the next retry early",
    file: KEEPER,
    original:
      "    this.#backoff.reset();\n    const { revision, publishedRevision, storyId } = draft;",
    replacement: "    const { revision, publishedRevision, storyId } = draft;",
    tests: KEEPER_TESTS,
  },
  {
    name: "retries wait longer and longer",
    file: BACKOFF,
    original: "Math.min(wait * 2, LONGEST_MS)",
    replacement: "Math.min(wait, LONGEST_MS)",
    tests: KEEPER_TESTS,
  },
  {
    name: "a copy that finds no room elsewhere stays where it is",
    file: COPIES,
    original: "if (this.keep(id, found.copy)) storage?.removeItem(found.key);",
    replacement: "this.keep(id, found.copy);\n      if (found) storage?.removeItem(found.key);",
    tests: KEEPER_TESTS,
  },
  {
    name: "copies of open editors are theirs",
    file: COPIES,
    original: "others.has(holder) ? null : parse",
    replacement: "others.has(id) ? null : parse",
    tests: KEEPER_TESTS,
  },
  {
    name: "a shorter text leaves no parts of the longer one",
    file: DRAFT_WRITES,
    original: "    ...eraseParts(path, parts.length, before),\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "a save does not build on another than the last",
    file: DRAFTS,
    original: 'revision === "latest" || before.head.revision === revision;',
    replacement: 'revision === "latest" || before.head.revision >= 0;',
    tests: DRAFT_TESTS,
  },
  {
    name: "a withdrawn story goes",
    file: DRAFT_WRITES,
    original: "    ...(stored && isWithdrawn ? erasePublication(stored) : []),\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "a text set aside twice is one version",
    file: DRAFTS,
    original: '        if (before[1]) return { status: "saved", draft: head };\n',
    replacement: '        if (before[1]) return { status: "denied" };\n',
    tests: DRAFT_TESTS,
  },
];
