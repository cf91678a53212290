import type { Mutation } from "./mutation.ts";

const FIRESTORE = "firestore.rules";
const DATABASE = "database.rules.json";

const MESSAGE_TESTS = ["tests/rules/firestore.test.ts"];
const QUOTE_TESTS = ["tests/rules/quotes.test.ts", "tests/rules/quotes-retracted.test.ts"];
const LIMIT_TESTS = ["tests/rules/limits.test.ts"];
const COUNT_TESTS = ["tests/rules/counts.test.ts"];
const READER_TESTS = ["tests/rules/readers.test.ts"];
const DRAFT_TESTS = ["tests/rules/drafts.test.ts", "tests/rules/stories.test.ts"];

/** The security rules of both databases. */
export const RULES_MUTATIONS: readonly Mutation[] = [
  {
    name: "writers do not count for their own story",
    file: FIRESTORE,
    original:
      "        && get(/databases/$(database)/documents/stories/$(storyId)).data.uid != uid\n        && areCountsChanged(uid, storyId);",
    replacement: "        && areCountsChanged(uid, storyId);",
    tests: COUNT_TESTS,
  },
  {
    name: "thanks are counted once",
    file: FIRESTORE,
    original:
      "        && countsAfter.thanks - countsBefore.thanks == after.thanks - before.thanks;",
    replacement: ";",
    tests: COUNT_TESTS,
  },
  {
    name: "only the writer reads the counts",
    file: FIRESTORE,
    original:
      "allow read: if request.auth != null && resource.data.uid == request.auth.uid;\n      allow create: if request.auth != null && isStoryCounts",
    replacement:
      "allow read: if request.auth != null;\n      allow create: if request.auth != null && isStoryCounts",
    tests: COUNT_TESTS,
  },
  {
    name: "a user has one record of each kind",
    file: DATABASE,
    original:
      "(!data.exists() || !newData.parent().parent().parent().child('readers').child(data.val()).exists())",
    replacement: "true",
    tests: READER_TESTS,
  },
  {
    name: "one update cannot write a record and change its key",
    file: DATABASE,
    original: "!newData.parent().parent().parent().child('readers').child(data.val())",
    replacement: "!root.child('readers').child(data.val())",
    tests: READER_TESTS,
  },
  {
    name: "users delete only their own messages",
    file: FIRESTORE,
    original:
      "allow delete: if request.auth != null && resource.data.uid == request.auth.uid\n        && !(isQuote(",
    replacement: "allow delete: if request.auth != null\n        && !(isQuote(",
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
    original: "\n        && isCounted('messages', messageId)\n",
    replacement: "\n",
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
      "isLibraryDocument(request.resource.data)\n        && request.resource.data.time >= resource.data.time;",
    replacement: "isLibraryDocument(request.resource.data);",
    tests: ["tests/rules/positions.test.ts"],
  },
  {
    name: "users set only their own typing indicator",
    file: DATABASE,
    original:
      'root.child(\'unseen\').child($uid).val() !== true)",\n          ".validate": "newData.val() === true && newData.getPriority() === null"',
    replacement:
      'root.child(\'unseen\').child($uid).val() !== true) || auth != null",\n          ".validate": "newData.val() === true && newData.getPriority() === null"',
    tests: ["tests/rules/database.test.ts"],
  },
  {
    name: "a typing indicator has no priority",
    file: DATABASE,
    original: "newData.val() === true && newData.getPriority() === null",
    replacement: "newData.val() === true",
    tests: ["tests/rules/database.test.ts"],
  },
  {
    name: "presence has the server's time",
    file: DATABASE,
    original:
      '"last_changed": {\n          ".validate": "newData.val() === now && newData.getPriority() === null"',
    replacement:
      '"last_changed": {\n          ".validate": "newData.isNumber() && newData.getPriority() === null"',
    tests: ["tests/rules/database.test.ts"],
  },
  {
    name: "a message that quotes a passage is counted",
    file: FIRESTORE,
    original:
      "\n        && (!isQuote(request.resource.data.text) || isQuoteAdded(messageId, request.resource.data.text)\n          || isRecordFull(request.resource.data.text));",
    replacement: ";",
    tests: QUOTE_TESTS,
  },
  {
    name: "the count of a quoted passage goes up by one",
    file: FIRESTORE,
    original: "passage.count == old.count + 1",
    replacement: "passage.count > old.count",
    tests: QUOTE_TESTS,
  },
  {
    name: "a quoted passage keeps the ids of twenty messages",
    file: FIRESTORE,
    original: "old.ids.size() > 19 ? old.ids[0:19] : old.ids",
    replacement: "old.ids",
    tests: QUOTE_TESTS,
  },
  {
    name: "a quote is counted with a message of the same commit",
    file: FIRESTORE,
    original: "          && message.createdAt == request.time\n          && request.auth.uid",
    replacement: "          && request.auth.uid",
    tests: QUOTE_TESTS,
  },
  {
    name: "a message is counted for the passage that it quotes",
    file: FIRESTORE,
    original:
      "\n          && getQuotedPath(message.text) == '/read/' + storyId + '#' + record.paragraph;",
    replacement: ";",
    tests: QUOTE_TESTS,
  },
  {
    name: "only one quoted passage changes in a commit",
    file: FIRESTORE,
    original:
      "record.passages.diff(before).affectedKeys() == [record.paragraph].toSet()\n          && (isAdded",
    replacement: "true\n          && (isAdded",
    tests: QUOTE_TESTS,
  },
  {
    name: "a message that is uncounted quotes no passage any more",
    file: FIRESTORE,
    original: "\n          && getQuotedPath(getAfter(message).data.text) == '';",
    replacement: ";",
    tests: QUOTE_TESTS,
  },
  {
    name: "a message that is counted for a passage is retracted before it is deleted",
    file: FIRESTORE,
    original:
      "\n        && !(isQuote(resource.data.text) && isPassageRecorded(resource.data.text));",
    replacement: ";",
    tests: QUOTE_TESTS,
  },
  {
    name: "an edit changes no quote",
    file: FIRESTORE,
    original:
      "\n          && getQuotedPath(request.resource.data.text) == getQuotedPath(resource.data.text)",
    replacement: "",
    tests: QUOTE_TESTS,
  },
  {
    name: "others uncount only quotes of messages that are gone",
    file: FIRESTORE,
    original:
      "(record.id in old.ids\n              && !exists(/databases/$(database)/documents/rooms/general/messages/$(record.id)))",
    replacement: "(record.id in old.ids)",
    tests: QUOTE_TESTS,
  },
  {
    name: "a message is not counted as removed when it quotes a passage",
    file: FIRESTORE,
    original:
      "\n          && getAfter(quoteRecordOf(text)).data.passages[getQuotedParagraph(text)].ids[0] == messageId;",
    replacement: ";",
    tests: QUOTE_TESTS,
  },
];
