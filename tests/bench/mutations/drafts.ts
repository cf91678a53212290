import type { Mutation } from "./mutation.ts";

const REDUCE = "app/writing/autosave/reduce.ts";
const SAVING = "app/writing/autosave/saving.ts";
const CONFLICT = "app/writing/autosave/conflict.ts";
const STATE = "app/writing/autosave/state.ts";
const STEP = "app/writing/autosave/step.ts";
const LOCAL_DRAFTS = "app/writing/autosave/local-drafts.ts";
const DRAFTS = "app/writing/drafts/drafts.server.ts";
const DRAFT_WRITES = "app/writing/drafts/draft-writes.server.ts";

const AUTOSAVE_TESTS = [
  "tests/writing/autosave.test.ts",
  "tests/writing/autosave-conflict.test.ts",
  "tests/writing/autosave-remote.test.ts",
  "tests/writing/autosave-properties.test.ts",
  "tests/writing/local-drafts.test.ts",
];
const DRAFT_TESTS = [
  "tests/writing/drafts.test.ts",
  "tests/writing/draft-parts.test.ts",
  "tests/writing/draft-versions.test.ts",
  "tests/writing/create-conflict.test.ts",
  "tests/writing/create.test.ts",
];

/** Autosave, local copies, drafts and stories in the account. */
export const DRAFT_MUTATIONS: readonly Mutation[] = [
  {
    name: "stores a text locally before it is sent",
    file: SAVING,
    original: "  if (isLocal || hasUnsavedChanges(step.state)) saveLocally(step);\n",
    replacement: "",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "recognizes its own save when the response was lost",
    file: REDUCE,
    original: "sent !== base && !unacknowledged.includes(sent)",
    replacement: "true",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "saves nothing while a conflict is open",
    file: SAVING,
    original: "  if (!step.state.status.conflict && !step.state.request) post(step);",
    replacement: "  if (!step.state.request) post(step);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "sends one save after the other",
    file: SAVING,
    original: "  if (!step.state.status.conflict && !step.state.request) post(step);",
    replacement: "  if (!step.state.status.conflict) post(step);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "makes a version of the remote text when the user keeps their own",
    file: CONFLICT,
    original:
      'update(step, { intent: "save", isOverwrite: true, base: null, remoteChoice: null });',
    replacement: 'update(step, { intent: "save", base: null, remoteChoice: null });',
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "opens the remote text only after the user's own text is a version",
    file: CONFLICT,
    original:
      "if (areSameFields(step.state.fields, toFields(conflict))) replaceWith(step, conflict);",
    replacement: "if (conflict.revision > 0) replaceWith(step, conflict);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "cancels a choice when the user continues to write",
    file: REDUCE,
    original: "  cancelRemoteChoice(step);\n  // The user has not confirmed",
    replacement: "  // The user has not confirmed",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "does not follow another tab while there are unsaved changes",
    file: REDUCE,
    original: "saved.revision > status.revision && !isPending(step.state);",
    replacement: "saved.revision > status.revision;",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "offers a choice when a remote save meets unsaved changes",
    file: REDUCE,
    original:
      "if (isPending(step.state) || draft.deletedAt !== null) return openConflict(step, draft);",
    replacement: "if (draft.deletedAt !== null) return openConflict(step, draft);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "handles a remote change only after its own save has a response",
    file: REDUCE,
    original: "if (isNewer && !request && !isStopped)",
    replacement: "if (isNewer && !isStopped)",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "bases the next save on the last one",
    file: SAVING,
    original:
      "  updateStatus(step, { revision, publishedRevision, storyId, error: null, conflict: null });",
    replacement:
      "  updateStatus(step, { publishedRevision, storyId, error: null, conflict: null });",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "saves what was typed during a save",
    file: SAVING,
    original: '  saveLocally(step);\n  schedule(step, "account", ACCOUNT_DELAY);\n}\n\n/** Records',
    replacement: "}\n\n/** Records",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "retries a failed save",
    file: SAVING,
    original: "  restoreIntent(step, request);\n  waitToRetry(step);",
    replacement: "  restoreIntent(step, request);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "deletes the local copy only when everything is saved",
    file: SAVING,
    original: "  if (!hasUnsavedChanges(step.state)) return markSaved(step);",
    replacement: "  return markSaved(step);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "a closed editor stores its last text",
    file: REDUCE,
    original: "  if (step.state.timers.local !== undefined) saveLocally(step);\n  for (const timer",
    replacement: "  for (const timer",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "offers a choice when a local copy is based on an older save",
    file: STATE,
    original: "conflict: isCurrent ? state.status.conflict : draft,",
    replacement: "conflict: state.status.conflict,",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "saves while the user types without a pause",
    file: STEP,
    original: "Math.min(pauseMs, since + maxMs - step.at)",
    replacement: "Math.max(pauseMs, since - step.at)",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "starts with a short wait again after a success",
    file: SAVING,
    original: "    isOverwrite: false,\n    retryMs: FIRST_RETRY_MS,\n",
    replacement: "    isOverwrite: false,\n",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "waits longer before each retry",
    file: SAVING,
    original: "Math.min(retryMs * 2, LONGEST_RETRY_MS)",
    replacement: "Math.min(retryMs, LONGEST_RETRY_MS)",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "leaves a local copy where it is while storage is full",
    file: LOCAL_DRAFTS,
    original: "if (this.set(id, newest.copy)) storage?.removeItem(newest.key);",
    replacement:
      "this.set(id, newest.copy);\n      if (newest.copy) storage?.removeItem(newest.key);",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "does not use the local copy of another open editor",
    file: LOCAL_DRAFTS,
    original: "others.has(owner) ? null : parse",
    replacement: "others.has(id) ? null : parse",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "does not find the local copies of another user",
    file: LOCAL_DRAFTS,
    original: "const prefix = `inkglade.draft.${uid}.`;",
    replacement: "const prefix = `inkglade.draft.${uid.slice(0, 0)}.`;",
    tests: AUTOSAVE_TESTS,
  },
  {
    name: "a shorter text leaves no parts of the longer one",
    file: DRAFT_WRITES,
    original: "    ...createPartDeletes(path, parts.length, before),\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "a save must be based on the latest revision",
    file: DRAFTS,
    original: 'if (!head || revision === "latest" || head.revision === revision) {',
    replacement: 'if (!head || revision === "latest" || head.revision >= 0) {',
    tests: DRAFT_TESTS,
  },
  {
    name: "deletes the story when it is unpublished",
    file: DRAFT_WRITES,
    original: "    ...(stored && isUnpublishing ? createUnpublishWrites(stored) : []),\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "makes one version of a text that is sent twice",
    file: DRAFTS,
    original: "        if (existing) return saved;\n",
    replacement: '        if (existing) return { status: "denied" };\n',
    tests: DRAFT_TESTS,
  },
];
