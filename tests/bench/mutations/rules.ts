import type { Mutation } from "./mutation.ts";

const FIRESTORE = "firestore.rules";
const DATABASE = "database.rules.json";

const MESSAGE_TESTS = ["tests/rules/firestore.test.ts"];
const LIMIT_TESTS = ["tests/rules/limits.test.ts"];
const DRAFT_TESTS = ["tests/rules/drafts.test.ts"];

/** The security rules of both databases. */
export const RULES_MUTATIONS: readonly Mutation[] = [
  {
    name: "users delete only their own messages",
    file: FIRESTORE,
    original: "allow delete: if request.auth != null && resource.data.uid == request.auth.uid;\n\n",
    replacement: "allow delete: if request.auth != null;\n\n",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a message has its author's uid",
    file: FIRESTORE,
    original: "          && message.uid == request.auth.uid\n",
    replacement: "",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a message contains more than spaces",
    file: FIRESTORE,
    original: "text.size() <= 4000 && isVisible(text)",
    replacement: "text.size() <= 4000",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a user without a name writes as Anonymous",
    file: FIRESTORE,
    original: ": name == 'Anonymous';",
    replacement: ": name is string;",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a message is counted for the rate limit",
    file: FIRESTORE,
    original: "\n        && isCounted('messages', messageId);",
    replacement: ";",
    tests: LIMIT_TESTS,
  },
  {
    name: "a rate record counts the message of the same commit",
    file: FIRESTORE,
    original: "return record.id == id && record.at == request.time;",
    replacement: "return record.at == request.time;",
    tests: LIMIT_TESTS,
  },
  {
    name: "limits messages to thirty in a minute",
    file: FIRESTORE,
    original: "isWithinLimit(5, 10) && isWithinLimit(30, 60)",
    replacement: "isWithinLimit(5, 10)",
    tests: LIMIT_TESTS,
  },
  {
    name: "a rate record cannot be deleted before it expires",
    file: FIRESTORE,
    original: "isSignedInAs(uid) && isExpiredRateRecord(kind == 'messages' ? 60 : 3600)",
    replacement: "isSignedInAs(uid)",
    tests: LIMIT_TESTS,
  },
  {
    name: "a save increases the revision by one",
    file: FIRESTORE,
    original: "request.resource.data.revision == resource.data.revision + 1",
    replacement: "request.resource.data.revision > resource.data.revision",
    tests: DRAFT_TESTS,
  },
  {
    name: "a text has no more parts than it declares",
    file: FIRESTORE,
    original: "        && int(part) < text.parts\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "a story's id belongs to its author",
    file: FIRESTORE,
    original:
      "        && getAfter(/databases/$(database)/documents/storyOwners/$(storyId)).data.uid == request.auth.uid\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "a reading position is not replaced by an older one",
    file: FIRESTORE,
    original:
      "isReadingPosition(request.resource.data)\n        && request.resource.data.time >= resource.data.time;",
    replacement: "isReadingPosition(request.resource.data);",
    tests: ["tests/rules/positions.test.ts"],
  },
  {
    name: "users set only their own typing indicator",
    file: DATABASE,
    original:
      'root.child(\'unseen\').child($uid).val() !== true)",\n          ".validate": "newData.val() === true"',
    replacement:
      'root.child(\'unseen\').child($uid).val() !== true) || auth != null",\n          ".validate": "newData.val() === true"',
    tests: ["tests/rules/database.test.ts"],
  },
  {
    name: "presence has the server's time",
    file: DATABASE,
    original: '"last_changed": {\n          ".validate": "newData.val() === now"',
    replacement: '"last_changed": {\n          ".validate": "newData.isNumber()"',
    tests: ["tests/rules/database.test.ts"],
  },
];
