import type { Mutation } from "./mutation.ts";

const FIRESTORE = "firestore.rules";
const DATABASE = "database.rules.json";

const MESSAGE_TESTS = ["tests/rules/firestore.test.ts"];
const LIMIT_TESTS = ["tests/rules/limits.test.ts"];
const DRAFT_TESTS = ["tests/rules/drafts.test.ts"];

/** Who may read and write what. */
export const RULES_MUTATIONS: readonly Mutation[] = [
  {
    name: "people delete their own messages alone",
    file: FIRESTORE,
    original: "allow delete: if request.auth != null && resource.data.uid == request.auth.uid;\n\n",
    replacement: "allow delete: if request.auth != null;\n\n",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a message is written under the writer's uid",
    file: FIRESTORE,
    original: "          && message.uid == request.auth.uid\n",
    replacement: "",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a message has the database's time",
    file: FIRESTORE,
    original: "          && message.createdAt == request.time\n          && message.text is string",
    replacement: "          && message.text is string",
    tests: MESSAGE_TESTS,
  },
  {
    name: "nobody without a name takes one",
    file: FIRESTORE,
    original: ": name == 'Anonymous';",
    replacement: ": name is string;",
    tests: MESSAGE_TESTS,
  },
  {
    name: "a message is counted",
    file: FIRESTORE,
    original: "\n        && isCounted('messages', messageId);",
    replacement: ";",
    tests: LIMIT_TESTS,
  },
  {
    name: "a record counts the message of its own commit",
    file: FIRESTORE,
    original: "return record.id == id && record.at == request.time;",
    replacement: "return record.at == request.time;",
    tests: LIMIT_TESTS,
  },
  {
    name: "thirty messages in a minute are enough",
    file: FIRESTORE,
    original: "hasRoom(5, 10) && hasRoom(30, 60)",
    replacement: "hasRoom(5, 10)",
    tests: LIMIT_TESTS,
  },
  {
    name: "a record that still matters cannot be deleted",
    file: FIRESTORE,
    original: "isSelf(uid) && isRecordOver(kind == 'messages' ? 60 : 3600)",
    replacement: "isSelf(uid)",
    tests: LIMIT_TESTS,
  },
  {
    name: "a save builds on the last one",
    file: FIRESTORE,
    original: "request.resource.data.revision == resource.data.revision + 1",
    replacement: "request.resource.data.revision > resource.data.revision",
    tests: DRAFT_TESTS,
  },
  {
    name: "a part is one of those that its text counts",
    file: FIRESTORE,
    original: "        && int(part) < text.parts\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "the address of a story stays its writer's",
    file: FIRESTORE,
    original:
      "        && getAfter(/databases/$(database)/documents/storyOwners/$(storyId)).data.uid == request.auth.uid\n",
    replacement: "",
    tests: DRAFT_TESTS,
  },
  {
    name: "a place does not give way to an earlier one",
    file: FIRESTORE,
    original:
      "isPlace(request.resource.data)\n        && request.resource.data.time >= resource.data.time;",
    replacement: "isPlace(request.resource.data);",
    tests: ["tests/rules/places.test.ts"],
  },
  {
    name: "nobody says of another that they are typing",
    file: DATABASE,
    original:
      '          ".write": "auth != null && auth.uid === $uid",\n          ".validate": "newData.val() === true"',
    replacement:
      '          ".write": "auth != null",\n          ".validate": "newData.val() === true"',
    tests: ["tests/rules/database.test.ts"],
  },
  {
    name: "presence has the database's time",
    file: DATABASE,
    original: "newData.val() === now",
    replacement: "newData.isNumber()",
    tests: ["tests/rules/database.test.ts"],
  },
];
