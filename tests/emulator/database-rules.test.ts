import {
  equalTo,
  get,
  limitToLast,
  orderByChild,
  query,
  ref,
  set,
  startAt,
  update,
} from "firebase/database";
import { expect, test } from "vitest";

import { startDatabase } from "#emulator/database/server.ts";
import {
  collectWarnings,
  connectClient,
  createToken,
  NAMESPACE,
  sendRest,
  startTestDatabase,
} from "#tests/support/database.ts";

const NOW = 1_700_000_000_000;

/** The root before a write, and the data that is written to /x. */
const BEFORE = { x: { n: 1, s: "Harbour", p: { ".value": 1, ".priority": 5 } }, sibling: true };
const AFTER = { n: 2, s: "Harbour", deep: { a: 1, b: { c: 1 } } };

test.each<[string, boolean]>([
  // Variables
  ["auth.uid === 'ada' && auth.provider === 'password'", true],
  ["auth.token.level === 3", true],
  ["auth.token.missing === null", true],
  ["auth.token.missing.deeper === null && auth.uid.missing === null", true],
  ["auth['token']['firebase']['sign_in_provider'] == 'password'", true],
  ["auth.token.constructor === null && auth.token.__proto__ === null", true],
  [`now === ${NOW}`, true],
  ["$key === 'x' && $key.length === 1", true],
  // Snapshots
  ["data.child('n').val() === 1 && newData.child('n').val() === 2", true],
  ["root.child('sibling').val() === true", true],
  ["data.parent().child('sibling').exists()", true],
  ["data.parent().parent().exists()", false],
  ["!data.parent().parent().exists()", false],
  ["newData.child('deep/b/c').exists() && newData.child('/deep//a').isNumber()", true],
  ["newData.hasChild('deep/b') && !newData.hasChild('deep/d')", true],
  ["newData.hasChildren() && newData.hasChildren(['n', 's'])", true],
  ["newData.hasChildren(['n', 'missing'])", false],
  ["newData.child('n').hasChildren()", false],
  ["data.child('p').getPriority() === 5 && data.getPriority() === null", true],
  ["newData.child('s').isString() && !newData.child('s').isBoolean()", true],
  ["newData.child('missing').val() === null", true],
  ["newData.val() !== null", true],
  ["newData.val() == newData.child('deep').val()", true],
  ["newData.val() + 's' !== null", false],
  ["data['child']('n')['val']() === 1", true],
  ["newData.hasChildren([$key]) || newData.hasChildren(['n', 'de' + 'ep'])", true],
  ["newData.hasChildren([newData.child('n').val()]) || true", false],
  // Strings
  ["newData.child('s').val().length === 7", true],
  ["'Harbour'.contains('arb') && 'Harbour'.beginsWith('Ha') && 'Harbour'.endsWith('our')", true],
  ["'a-b-c'.replace('-', '$&') === 'a$&b$&c'", true],
  ["'ÄbC'.toLowerCase() + 'x'.toUpperCase() === 'äbcX'", true],
  ["newData.child('s').val().matches(/^h[a-z]+r$/i)", true],
  ["newData.child('s').val().matches(/^h/)", false],
  ["'a/b'.matches(/^a[/]b$/) && 'a/b'.matches(/a\\/b/)", true],
  ["newData.child('n').val().contains('2')", false],
  ["newData.child('s').val()['contains']('arb') && newData.child('s').val()['length'] === 7", true],
  [
    "newData.child('n').val().length === null && newData.child('missing').val().length === null",
    true,
  ],
  ["'\u{1F33F}'.length === 2", true],
  // Regular expressions
  ["'a'.matches(/^a|b$/) && !'ac'.matches(/^a|b$/)", true],
  ["'a\\nb'.matches(/^a.b$/)", true],
  ["'n1b'.matches(/^\\n\\1\\b$/)", true],
  ["'-'.matches(/^[a\\-z]$/) && 'b'.matches(/^[^\\]-]$/) && '-'.matches(/^[\\w-.]$/)", true],
  ["'aab'.matches(/^a{2}b{1,}(c|d)?$/) && !'aab'.matches(/^a{3,4}/)", true],
  [
    "'ab'.matches(/b/) && !'ab'.matches(/^b/) && !'ab'.matches(/a$/) && 'cab'.matches(/AB$/i)",
    true,
  ],
  ["'abab'.matches(/^(ab)*$/) && !'aba'.matches(/^(ab)*$/) && ''.matches(/^a?$/)", true],
  ["'aaa'.matches(/^a{2,3}$/) && !'aaaa'.matches(/^a{2,3}$/) && 'aaaa'.matches(/^a{2,}$/)", true],
  ["'{a}]/-'.matches(/^\\{a}]\\/-$/)", true],
  [
    "'2026-11-28'.matches(/^(19|20)[0-9][0-9][-\\/. ](0[1-9]|1[012])[-\\/. ](0[1-9]|[12][0-9]|3[01])$/)",
    true,
  ],
  // Operators
  ["1 + 2 * 3 - 4 / 2 === 5 && 7 % 4 === 3 && -1 < 0", true],
  ["'n' + 1 + 2 === 'n12' && 1 + 2 === 3", true],
  ["'n' + newData.child('missing').val() !== null", false],
  ["(1 + auth.token.admin) == 2 || true", false],
  ["1 / 0 + '' === 'NaN' && !(1 / 0 > 2) && -1 / 0 + '' === 'NaN'", true],
  ["1 == 1 && 1 != 2 && 'a' !== 'b' && null == null", true],
  ["newData.child('n').val() == '2'", false],
  ["'a' < 'b' && 2 <= 2 && 3 > 2 && 3 >= 4", false],
  ["newData.child('n').val() < 'b'", false],
  ["!(newData.child('n').val() < 'b')", false],
  ["newData.child('missing').val() > 0", false],
  ["newData.child('n').exists() || newData.child('n').val().contains('x')", true],
  ["false && newData.child('n').val().contains('x') || true", true],
  ["newData.child('n').val() === 2 ? true : false", true],
  ["(newData.exists() ? newData : data).child('n').val() === 2", true],
  ["(auth.uid === 'ada' ? 7 : true) === 7", true],
])("evaluates the rule %s to %s", async (expression, isAllowed) => {
  const rules = JSON.stringify({ rules: { $key: { ".write": expression } } });
  await using server = await startTestDatabase({ rules, now: () => NOW });
  server.import({ [NAMESPACE]: BEFORE });
  const claims = { level: 3, admin: true, firebase: { sign_in_provider: "password" } };

  const response = await sendRest(
    server,
    `/x.json?auth=${createToken("ada", claims)}`,
    { method: "PUT", body: JSON.stringify(AFTER) },
    "nobody",
  );

  expect(response.status).toBe(isAllowed ? 200 : 401);
});

test.each<[string, string]>([
  ["tru", "1:26: Unknown variable 'tru'."],
  ["auth != null && tru", "1:42: Unknown variable 'tru'."],
  ["$other === 'a'", "1:26: Unknown variable '$other'."],
  ["data.foo()", "1:26: Unknown snapshot method 'foo'."],
  ["data.val().foo()", "1:26: Unknown string method 'foo'."],
  ["data.foo === 1", "1:26: A snapshot has methods only: use .child() or .val()."],
  [
    "data === null",
    "1:26: A snapshot is not a value: use .val(), .exists() or another of its methods.",
  ],
  ["newData.exists()", "1:26: newData is not available in .read."],
  ["query.limit < 5", "1:26: Unknown member 'query.limit'."],
  ["query['limit'] < 5", "1:26: Unknown member 'query.limit'."],
  ["data.val().x === 1", "1:26: A value has no members but length: use .child() on a snapshot."],
  ["data.val()['x'] === 1", "1:26: A value has no members but length"],
  ["now.length === 1", "1:26: A number has no members."],
  ["data['foo']()", "1:26: Unknown snapshot method 'foo'."],
  ["data['ex' + 'ists']()", "1:26: A method must be called by its name."],
  ["auth.token['foo']('x')", "1:26: Unknown string method 'foo'."],
  ["data.val()", "1:26: Expected boolean, found a value of any type: compare it"],
  ["auth.token.admin && true", "1:26: Expected boolean, found a value of any type"],
  ["!data.val()", "1:27: Expected boolean, found a value of any type"],
  ["data.val() ? true : false", "1:26: Expected boolean, found a value of any type"],
  ["data.exists() ? true : 7", "1:26: Expected boolean, found a value of any type"],
  ["auth", "1:26: Expected boolean, found a value of any type"],
  ["'a' + true === 'atrue'", "1:32: Expected number or string, found boolean."],
  ["data.hasChildren(['a', 1])", "1:49: Expected string, found number."],
  ["data.hasChildren(['a'], 'b')", "1:26: hasChildren() takes no argument or a list"],
  ["data.child()", "1:26: child() takes 1 argument."],
  ["data.child(1).exists()", "1:37: Expected string, found number."],
  [
    "data.hasChildren([])",
    "1:26: hasChildren() takes no argument or a list of at least one string.",
  ],
  ["'a'.matches('a')", "1:26: matches() takes one regular expression, written as /.../."],
  ["'a'.matches(/a/g)", "1:26: Unknown flags 'g': a regular expression may only have the flag i."],
  ["'a'.matches(/(^a$|b)/)", "1:26: Unexpected '^' at character 2 of the regular expression"],
  ["'a'.matches(/a$|b/)", "1:26: Unexpected '|' at character 3"],
  ["'a'.matches(/^(a|)$/)", "1:26: Expected an expression at character 5"],
  ["'a'.matches(/^(?=a)/)", "1:26: Unexpected '?' at character 3"],
  ["'a'.matches(/a+?/)", "1:26: Unexpected '?' at character 3"],
  ["'a'.matches(/a{,2}/)", "1:26: Unexpected '{' at character 2"],
  ["'a'.matches(/[]/)", "1:26: Unexpected end at character 3"],
  ["'a'.matches(/((a{1000}){1000}){1000}/)", "1:26: Too many repetitions"],
  ["'a'.matches(/[\\n-a]/)", "1:26: Invalid regular expression"],
  ["'text'", "1:26: Expected boolean, found string."],
  ["1 - 1", "1:26: Expected boolean, found number."],
  ["auth.uid & 1", "1:26: Unknown operator '&'."],
  ["auth?.uid === 'a'", "1:26: Unknown operator '?.'."],
  ["typeof(auth)", "1:26: Only methods can be called."],
  ["this.x", "1:26: This is not part of the rules language."],
  ["[1]", "1:26: A list is only allowed in hasChildren([...])."],
  ["", "1:26: The rule is empty."],
  ["true false", "1:26: Expected one expression."],
  ["(true", "1:31: Unclosed (."],
  ["true &&", "1:33: Expected expression after &&."],
])("does not load the rule %j: %s", async (expression, message) => {
  const rules = `{"rules": {"a":{".read":${JSON.stringify(expression)}}}}`;

  await expect(startDatabase({ rules })).rejects.toThrow(message);
});

test.each([
  { name: "negations", expression: `${"!".repeat(600)}true` },
  { name: "parentheses", expression: `${"(".repeat(50_000)}true${")".repeat(50_000)}` },
  { name: "operators", expression: `true${" && true".repeat(50_000)}` },
  { name: "methods", expression: `data${".child('a')".repeat(50_000)}.exists()` },
])("a rule with very many $name is nested too deeply", async ({ expression }) => {
  const rules = JSON.stringify({ rules: { ".read": expression } });

  await expect(startDatabase({ rules })).rejects.toThrow("The rule is nested too deeply.");
});

test.each<[string, string]>([
  ["", "1:1: Expected a value."],
  ["[]", '1:1: Expected {"rules": ...}.'],
  ["{}", '1:1: The file must contain "rules" and nothing else.'],
  ['{"rules": {},\n "more": 1}', '2:2: The file must contain "rules" and nothing else.'],
  ['{"rules": {}} x', "1:15: Expected the end of the file."],
  ['{"rules": {"a": 1}}', "1:17: Expected an object with rules."],
  ['{"rules": {".reed": true}}', '1:12: Unknown rule ".reed".'],
  ['{"rules": {".read": 1}}', "1:21: .read must be a string, true or false."],
  ['{"rules": {"a": {}, "a": {}}}', '1:21: "a" is used twice here.'],
  ['{"rules": {"$a": {}, "$b": {}}}', '1:22: Only one $name is allowed here besides "$a".'],
  ['{"rules": {"$a": {"b": {"$a": {}}}}}', '1:25: "$a" is used above.'],
  ['{"rules": {"a/b": {}}}', '1:12: Invalid key "a/b".'],
  ['{"rules": {".indexOn": [1]}}', "1:25: .indexOn must be a text or a list of texts."],
  ['{"rules": {},}', "1:14: Expected a name in double quotes."],
  ["{'rules': {}}", "1:2: Expected a name in double quotes."],
  ['{"rules": {".read": "a\\q"}}', "1:23: Unknown escape."],
  ['{"rules": {".read": "true}}', "1:21: This string has no closing quote."],
  ["{/* ", "1:2: This comment has no end."],
  ["[".repeat(1000), "1:202: The rules are nested too deeply."],
])("does not load the file %j: %s", async (rules, message) => {
  await expect(startDatabase({ rules })).rejects.toThrow(message);
});

test("reports the position of an error after escapes and line breaks", async () => {
  const rules = `// Who may read
{"rules": { /* all of it */
  ".read": "auth.uid === \\"ada\\" &&
    tru"
}}`;

  await expect(startDatabase({ rules })).rejects.toMatchObject({ line: 4, column: 5 });
});

test("a deeper rule can allow more, but not less", async () => {
  const rules =
    '{"rules": {"a": {".read": true, "b": {".read": false}}, "c": {"d": {".read": true}}}}';
  await using server = await startTestDatabase({ rules });

  const statuses = await Promise.all(
    ["a", "a/b", "a/b/c", "c", "c/d"].map((path) =>
      sendRest(server, `/${path}.json`, {}, "nobody"),
    ),
  );

  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 401, 200]);
});

test("validates the written data, and the data above it", async () => {
  const rules = JSON.stringify({
    rules: {
      ".write": true,
      books: {
        $book: {
          ".validate": "newData.hasChildren(['title'])",
          title: { ".validate": "newData.isString()" },
          pages: { $page: { ".validate": "newData.isNumber()" } },
          $other: { ".validate": false },
        },
      },
    },
  });
  await using server = await startTestDatabase({ rules });
  await using client = connectClient(server);
  using _warnings = collectWarnings();
  const denied = "PERMISSION_DENIED";

  await set(ref(client.db, "books"), { b1: { title: "Tides", pages: [1, 2] } });
  await expect(set(ref(client.db, "books/b2"), { pages: [1] })).rejects.toThrow(denied);
  await expect(set(ref(client.db, "books/b1/pages"), { p: "x" })).rejects.toThrow(denied);
  await expect(set(ref(client.db, "books/b1/more"), 1)).rejects.toThrow(denied);
  await expect(set(ref(client.db, "books/b1/title"), null)).rejects.toThrow(denied);
  await expect(set(ref(client.db), { books: { b1: { title: 1 } } })).rejects.toThrow(denied);
  await update(ref(client.db, "books"), { "b2/title": "Sand", "b2/pages/p1": 1, b1: null });

  expect(server.export()).toEqual({
    [NAMESPACE]: { books: { b2: { title: "Sand", pages: { p1: 1 } } } },
  });
});

test("an update with one forbidden path changes nothing", async () => {
  const rules = '{"rules": {"a": {".write": true}}}';
  await using server = await startTestDatabase({ rules });
  await using client = connectClient(server);
  using _warnings = collectWarnings();

  await expect(update(ref(client.db), { a: 1, b: 1 })).rejects.toThrow("PERMISSION_DENIED");

  expect(server.export()).toEqual({});
});

test("a rule can depend on the query", async () => {
  const rules = JSON.stringify({
    rules: {
      m: {
        ".indexOn": "owner",
        ".read":
          "query.orderByChild === 'owner' && query.equalTo === auth.uid && query.limitToLast <= 5",
      },
    },
  });
  await using server = await startTestDatabase({ rules });
  server.import({ [NAMESPACE]: { m: { a: { owner: "ada" }, b: { owner: "bob" } } } });
  await using client = connectClient(server, "ada");
  const list = ref(client.db, "m");

  const own = await get(query(list, orderByChild("owner"), equalTo("ada"), limitToLast(5)));

  expect(own.val()).toEqual({ a: { owner: "ada" } });
  for (const denied of [
    list,
    query(list, orderByChild("owner"), equalTo("ada")),
    query(list, orderByChild("owner"), equalTo("bob"), limitToLast(5)),
    query(list, orderByChild("owner"), startAt("ada"), limitToLast(5)),
  ]) {
    await expect(get(denied)).rejects.toThrow("Permission denied");
  }
});

test.each<[string, boolean]>([
  ["auth == null && auth.uid != 'ada' && auth.token.level.deeper == null", true],
  ["root.child('users/' + auth.uid).exists() || true", false],
  ["auth.uid.contains('a') || true", false],
  ["auth.uid.length > 0 || true", false],
])("for nobody, the rule %s is %s", async (expression, isAllowed) => {
  const rules = JSON.stringify({ rules: { ".read": expression } });
  await using server = await startTestDatabase({ rules });

  const { status } = await sendRest(server, "/x.json", {}, "nobody");

  expect(status).toBe(isAllowed ? 200 : 401);
});

test("a pattern from Firebase's documentation refuses a long text without backtracking", async () => {
  const url =
    "/^(ht|f)tp(s?):\\/\\/[0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*((0-9)*)*(\\/?)([a-zA-Z0-9\\-\\.\\?\\,\\'\\/\\\\+&=%\\$#_]*)?$/";
  const rules = JSON.stringify({ rules: { $key: { ".write": `newData.val().matches(${url})` } } });
  await using server = await startTestDatabase({ rules });
  const put = async (text: string): Promise<number> => {
    const init = { method: "PUT", body: JSON.stringify(text) };
    return (await sendRest(server, "/x.json", init, "nobody")).status;
  };

  expect(await put(`https://example.com/${"a".repeat(100)}`)).toBe(200);
  expect(await put(`https://example.com/${"a".repeat(100)}!`)).toBe(401);
  expect(await put(`https://${"a".repeat(100)}!`)).toBe(401);
});

test("applies new rules at once, or the old ones if the new are invalid", async () => {
  await using server = await startTestDatabase({ rules: '{"rules": {}}' });
  const read = async (): Promise<number> =>
    (await sendRest(server, "/a.json", {}, "nobody")).status;
  expect(await read()).toBe(401);

  server.setRules('{"rules": {".read": true}}');
  expect(await read()).toBe(200);
  expect(() => server.setRules('{"rules": {".read": "no"}}')).toThrow("Unknown variable 'no'");
  expect(await read()).toBe(200);
});
