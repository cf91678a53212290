import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";

import { onValue, ref } from "firebase/database";
import { expect, test } from "vitest";

import { startDatabase, type DatabaseServer } from "#emulator/database/server.ts";
import {
  connectClient,
  createToken,
  NAMESPACE,
  OPEN_RULES,
  openSocket,
  sendRest,
  startTestDatabase,
} from "#tests/support/database.ts";

test("puts, updates, reads and deletes data", async () => {
  await using server = await startTestDatabase({ rules: '{"rules": {}}', now: () => 1000 });

  expect(await send(server, "PUT", "/a.json", { list: ["x", "y"], n: 1 })).toEqual({
    list: ["x", "y"],
    n: 1,
  });
  expect(
    await send(server, "PATCH", "/a.json", {
      n: { ".sv": { increment: 2 } },
      "deep/at": { ".sv": "timestamp" },
    }),
  ).toEqual({ n: 3, "deep/at": 1000 });
  expect(await send(server, "GET", "/a.json")).toEqual({
    list: ["x", "y"],
    n: 3,
    deep: { at: 1000 },
  });
  expect(await send(server, "DELETE", "/a.json")).toBeNull();
  expect(server.export()).toEqual({});
});

test("stores posted data under a key that sorts by time", async () => {
  let now = 1_700_000_000_000;
  await using server = await startTestDatabase({ now: () => now });

  const first = await send(server, "POST", "/list.json", "one");
  now += 1;
  const second = await send(server, "POST", "/list.json", "two");

  const names = [first, second].map((result) => (result as { name: string }).name);
  expect(names).toEqual(names.toSorted());
  expect(names[0]).toMatch(/^[\w-]{20}$/);
  expect(server.export()).toEqual({
    [NAMESPACE]: { list: { [names[0] ?? ""]: "one", [names[1] ?? ""]: "two" } },
  });
});

test.each([
  ['orderBy="$key"&limitToFirst=2', ["a", "b"]],
  ['orderBy="$key"&limitToLast=1', ["c"]],
  ['orderBy="$key"&startAt="b"', ["b", "c"]],
  ['orderBy="$key"&startAfter="b"', ["c"]],
  ['orderBy="$key"&startAt="a"&endAt="b"', ["a", "b"]],
  ['orderBy="$key"&endBefore="b"', ["a"]],
  ['orderBy="age"&equalTo=7', ["a", "c"]],
  ['orderBy="age"&equalTo=7,"c"', ["c"]],
  ['orderBy="age"&startAfter=5', ["a", "c"]],
  ['orderBy="age"&startAfter=7,"a"', ["c"]],
  ['orderBy="age"&startAt=7,"b"', ["c"]],
  ['orderBy="age"&endBefore=7', ["b"]],
  ['orderBy="age"&endBefore=7,"c"', ["a", "b"]],
  ['orderBy="name/first"&equalTo="Bo"', ["b"]],
  ['orderBy="$value"&startAt=0', ["a", "b", "c"]],
  ['orderBy="$priority"&equalTo=2', ["c"]],
  ['orderBy="$key"', ["a", "b", "c"]],
  ['shallow=true&limitToFirst=1&startAfter="a"', ["b"]],
])("selects children by the query %s", async (query, keys) => {
  const rules = '{"rules": {"people": {".indexOn": ["age", "name/first", ".value"]}}}';
  await using server = await startTestDatabase({ rules });
  await send(server, "PUT", "/people.json", {
    a: { age: 7 },
    b: { age: 5, name: { first: "Bo" } },
    c: { age: 7, ".priority": 2 },
  });

  const selected = await send(server, "GET", `/people.json?${query}`);

  expect(Object.keys(Object(selected))).toEqual(keys);
});

test("names the index that the rules lack for a query", async () => {
  await using server = await startTestDatabase();

  const response = await sendRest(server, '/people.json?orderBy="age"&equalTo=7');

  expect([response.status, await response.json()]).toEqual([
    400,
    { error: 'Index not defined, add ".indexOn": "age", for path "/people", to the rules' },
  ]);
});

test("notifies listeners of REST writes", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  const seen: unknown[] = [];
  onValue(ref(client.db, "a"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toEqual([null]);

  await send(server, "PUT", "/a.json", 1);

  await expect.poll(() => seen).toEqual([null, 1]);
});

test("responds in the requested format", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { a: { b: { ".value": 1, ".priority": 2 }, c: { d: 1 } } } });

  expect(await send(server, "GET", "/a.json?shallow=true")).toEqual({ b: true, c: true });
  expect(await send(server, "GET", "/a/b.json?shallow=true")).toBe(1);
  expect(await send(server, "GET", "/a/b.json?format=export")).toEqual({
    ".value": 1,
    ".priority": 2,
  });
  const pretty = await sendRest(server, "/a/c.json?print=pretty");
  expect(await pretty.text()).toBe('{\n  "d": 1\n}');
  const silent = await sendRest(server, "/a.json?print=silent", {
    method: "PUT",
    body: "1",
  });
  expect([silent.status, await silent.text()]).toEqual([204, ""]);
});

test("decodes each key of the URL separately", async () => {
  await using server = await startTestDatabase();

  await send(server, "PUT", "/sp%20ace/%C3%BC%F0%9F%98%80/a%2520b.json", 1);

  expect(server.export()).toEqual({ [NAMESPACE]: { "sp ace": { "ü😀": { "a%20b": 1 } } } });
});

test.each([
  ["the header", "/.json", { "X-HTTP-Method-Override": "PATCH" }],
  ["the parameter", "/.json?x-http-method-override=PATCH", {}],
])(
  "serves the root at /.json, and takes the method of a POST from %s",
  async (_, path, headers) => {
    await using server = await startTestDatabase();
    await send(server, "PUT", "/b.json", 2);

    await sendRest(server, path, { method: "POST", body: '{"a":1}', headers });

    expect(await send(server, "GET", "/.json")).toEqual({ a: 1, b: 2 });
  },
);

test("takes no other method for a GET, which pages of other sites can cause", async () => {
  await using server = await startTestDatabase();
  await send(server, "PUT", "/a.json", 1);

  const headers = { "X-HTTP-Method-Override": "DELETE" };
  await sendRest(server, "/a.json?x-http-method-override=DELETE", { headers });

  expect(await send(server, "GET", "/a.json")).toBe(1);
});

test("responds to HEAD as to GET, without the body", async () => {
  await using server = await startTestDatabase();
  const init = { headers: { "X-Firebase-ETag": "true" } };

  const get = await sendRest(server, "/a.json", init);
  const head = await sendRest(server, "/a.json", { ...init, method: "HEAD" });
  const stream = await sendRest(server, "/a.json", {
    method: "HEAD",
    headers: { Accept: "text/event-stream" },
  });

  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("ETag")).toBe(get.headers.get("ETag"));
  expect([stream.status, await stream.text()]).toEqual([200, ""]);
});

test("keeps both of two updates that are computed from the same data", async () => {
  await using server = await startTestDatabase();
  await send(server, "PUT", "/count.json", 0);

  async function increment(): Promise<void> {
    let [response, isDone] = [await readTagged(server, "/count.json"), false];
    while (!isDone) {
      const etag = response.headers.get("ETag") ?? "";
      const body = JSON.stringify(Number(await response.json()) + 1);
      const headers = { "If-Match": etag };
      // A response of 412 has the data as it is now, and its ETag.
      response = await sendRest(server, "/count.json", { method: "PUT", body, headers });
      isDone = response.ok;
    }
  }
  await Promise.all(Array.from({ length: 2 }, () => repeat(20, increment)));

  expect(await send(server, "GET", "/count.json")).toBe(40);
});

test("writes with if-match only what has not changed since", async () => {
  await using server = await startTestDatabase();
  const put = (body: string, etag: string) =>
    sendRest(server, "/a.json", { method: "PUT", body, headers: { "If-Match": etag } });

  const created = await put("1", "null_etag");
  const second = await put("2", "null_etag");
  const etag = created.headers.get("ETag") ?? "";
  const third = await put("3", etag);
  const remove = { method: "DELETE", headers: { "If-Match": etag } };
  const refused = await sendRest(server, "/a.json", remove);
  remove.headers["If-Match"] = third.headers.get("ETag") ?? "";
  const removed = await sendRest(server, "/a.json", remove);

  expect([created, second, third, refused, removed].map(({ status }) => status)).toEqual([
    200, 412, 200, 412, 200,
  ]);
  expect([second.headers.get("ETag"), await second.json()]).toEqual([etag, 1]);
  expect(await refused.json()).toBe(3);
  expect(removed.headers.get("ETag")).toBe("null_etag");
});

test("tells with if-none-match that data has not changed", async () => {
  await using server = await startTestDatabase();
  await send(server, "PUT", "/a.json", 1);
  const etag = (await readTagged(server, "/a.json")).headers.get("ETag") ?? "";
  const readChanged = () =>
    sendRest(server, "/a.json", { headers: { "If-None-Match": etag }, cache: "no-store" });

  const same = await readChanged();
  await send(server, "PUT", "/a.json", 2);
  const changed = await readChanged();

  expect([same.status, await same.text(), changed.status, await changed.json()]).toEqual([
    304,
    "",
    200,
    2,
  ]);
  expect(changed.headers.get("ETag")).not.toBe(etag);
});

test("sends an ETag only when asked", async () => {
  await using server = await startTestDatabase();

  const response = await sendRest(server, "/a.json");

  expect(response.headers.get("ETag")).toBeNull();
});

test("tells nothing with if-match to who may write but not read", async () => {
  await using server = await startTestDatabase({ rules: '{"rules": {".write": true}}' });
  await send(server, "PUT", "/a.json", "secret");
  const write = (headers: Record<string, string>) =>
    sendRest(server, "/a.json", { method: "PUT", body: "1", headers }, "nobody");

  expect((await write({ "If-Match": "guess" })).status).toBe(401);
  expect((await write({})).status).toBe(200);
});

test("lets the owner act as a user, or as nobody", async () => {
  const rules = '{"rules": {".read": "auth.uid === \'ada\' && auth.isKind === true"}}';
  await using server = await startTestDatabase({ rules });
  const readAs = async (override: string, as?: "nobody") =>
    (await sendRest(server, `/a.json?auth_variable_override=${override}`, {}, as)).status;

  expect(await readAs('{"uid":"ada","isKind":true}')).toBe(200);
  expect(await readAs('{"uid":"bob","isKind":true}')).toBe(401);
  expect(await readAs("null")).toBe(401);
  expect(await readAs('{"uid":"ada","isKind":true}', "nobody")).toBe(401);
  expect(await readAs("7")).toBe(400);
});

test("calls a function with the data of a JSONP request", async () => {
  await using server = await startTestDatabase();
  await send(server, "PUT", "/a.json", { b: "</script>" });

  const response = await sendRest(server, "/a.json?callback=app.show");

  expect(response.headers.get("Content-Type")).toBe("application/javascript; charset=utf-8");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(await response.text()).toBe('/**/app.show({"b":"</script>"});');
});

test("names the file of a download, whatever its name is", async () => {
  await using server = await startTestDatabase();

  const name = encodeURIComponent('über "1"\r\n.json');
  const response = await sendRest(server, `/a.json?download=${name}`);

  expect(response.headers.get("Content-Disposition")).toBe(
    `attachment; filename="_ber _1___.json"; filename*=UTF-8''${name}`,
  );
});

test("ends a read that takes longer than its timeout", async () => {
  let now = 0;
  await using server = await startTestDatabase({ now: () => (now += 5) });

  const [slow, fast] = [
    await sendRest(server, "/a.json?timeout=3ms"),
    await sendRest(server, "/a.json?timeout=15min"),
  ];

  expect([slow.status, await slow.json(), fast.status]).toEqual([
    400,
    { error: "The read took longer than its timeout." },
    200,
  ]);
});

test("names each parameter that it does not understand", async () => {
  await using server = await startTestDatabase();

  const unknown = await sendRest(server, "/a.json?limit=1&__proto__=1");
  const malformed = await sendRest(server, "/a.json?print=ugly&timeout=3");

  expect(await unknown.json()).toEqual({ error: "Unknown parameter: limit, __proto__" });
  expect(await malformed.json()).toEqual({
    error: expect.stringMatching(/^print: .+; timeout: Expected a time like 3ms, .+$/) as string,
  });
});

test("accepts the parameters of Firebase's own tools that have no effect here", async () => {
  await using server = await startTestDatabase();
  const path = "/a.json?writeSizeLimit=tiny&disableTriggers=true&ac=token";

  expect(await send(server, "PUT", path, 1)).toBe(1);
});

test("applies the rules to everyone but the owner", async () => {
  const rules =
    '{"rules": {"$uid": {".read": "auth.uid === $uid", ".write": "auth.uid === $uid"}}}';
  await using server = await startTestDatabase({ rules });
  const token = createToken("ada");

  const own = await sendRest(
    server,
    `/ada.json?auth=${token}`,
    { method: "PUT", body: "1" },
    "nobody",
  );
  const others = await sendRest(
    server,
    `/bob.json?auth=${token}`,
    { method: "PUT", body: "1" },
    "nobody",
  );
  const bearer = await sendRest(
    server,
    "/ada.json",
    {
      headers: { Authorization: `Bearer ${token}` },
    },
    "nobody",
  );
  const nobody = await sendRest(server, "/ada.json", {}, "nobody");

  expect([own.status, others.status, bearer.status, nobody.status]).toEqual([200, 401, 200, 401]);
  expect(await others.json()).toEqual({ error: "Permission denied" });
});

const ETAG = { "X-Firebase-ETag": "true" };
const IF_MATCH = { "If-Match": "null_etag" };
const IF_NONE_MATCH = { "If-None-Match": "null_etag" };

test.each<[string, string, RequestInit, number]>([
  ["a body that is not JSON", "/a.json", { method: "PUT", body: "{oops" }, 400],
  ["no body", "/a.json", { method: "PUT" }, 400],
  ["a bad key", "/a.json", { method: "PUT", body: '{"b.c":1}' }, 400],
  ["an encoded slash", "/a%2Fb.json", {}, 400],
  ["a broken encoding", "/a%E0%A4.json", {}, 400],
  ["a limit without an order", "/a.json?limitToFirst=1", {}, 400],
  ["an order that is not JSON", "/a.json?orderBy=$key", {}, 400],
  ["a limit of zero", '/a.json?orderBy="$key"&limitToFirst=0', {}, 400],
  ["an order by an unknown index", '/a.json?orderBy="$age"', {}, 400],
  ["two bounds of one kind", '/a.json?orderBy="$key"&startAt="a"&startAfter="a"', {}, 400],
  ["a bound and equalTo", '/a.json?orderBy="$key"&startAt="a"&equalTo="a"', {}, 400],
  ["two limits", '/a.json?orderBy="$key"&limitToFirst=1&limitToLast=1', {}, 400],
  ["an unknown parameter", "/a.json?limit=1", {}, 400],
  ["an unknown format", "/a.json?format=xml", {}, 400],
  ["an unknown way to print", "/a.json?print=ugly", {}, 400],
  ["an unknown write size", "/a.json?writeSizeLimit=huge", { method: "PUT", body: "1" }, 400],
  ["a callback with code", "/a.json?callback=alert(1)//", {}, 400],
  ["a callback that ends its comment", "/a.json?callback=*/alert", {}, 400],
  ["a timeout without a unit", "/a.json?timeout=3", {}, 400],
  ["a timeout of zero", "/a.json?timeout=0ms", {}, 400],
  ["a timeout over 15 minutes", "/a.json?timeout=16min", {}, 400],
  ["a body that is not UTF-8", "/a.json", { method: "PUT", body: latin1('"é"') }, 400],
  ["a bad token", "/a.json", { headers: { Authorization: "Bearer junk" } }, 401],
  ["an unsupported method", "/a.json", { method: "LOCK" }, 405],
  ["a path without .json", "/a", {}, 404],
  ["a path below .info", "/.info/connected.json", {}, 401],
  ["if-match with PATCH", "/a.json", { method: "PATCH", body: "{}", headers: IF_MATCH }, 400],
  ["if-match with POST", "/a.json", { method: "POST", body: "1", headers: IF_MATCH }, 400],
  ["if-match with GET", "/a.json", { headers: IF_MATCH }, 400],
  ["if-none-match with PUT", "/a.json", { method: "PUT", body: "1", headers: IF_NONE_MATCH }, 400],
  ["an ETag of a shallow read", "/a.json?shallow=true", { headers: ETAG }, 400],
  ["an ETag of a query", '/a.json?orderBy="$key"', { headers: ETAG }, 400],
])("rejects %s with an error in JSON", async (_, path, init, status) => {
  await using server = await startTestDatabase();

  const response = await sendRest(server, path, init, init.headers ? "nobody" : "owner");

  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/./) as string });
});

test("rejects a request without a namespace", async () => {
  await using server = await startTestDatabase();

  const response = await fetch(`http://127.0.0.1:${server.port}/a.json`);

  expect([response.status, await response.json()]).toEqual([
    400,
    { error: 'Add the database to the URL: "?ns=<namespace>".' },
  ]);
});

test.each([
  "http://127.0.0.1:8788",
  "http://localhost:5173",
  "https://localhost",
  "http://[::1]:8788",
])("allows requests of pages at %s, and names that origin alone", async (origin) => {
  await using server = await startTestDatabase();
  const headers = { Origin: origin };

  const preflight = await sendRest(server, "/a.json", { method: "OPTIONS", headers }, "nobody");
  const response = await sendRest(server, "/a.json", { headers });

  expect([preflight.status, response.status]).toEqual([204, 200]);
  expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("If-Match");
  expect(response.headers.get("Access-Control-Expose-Headers")).toBe("ETag");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe(origin);
  expect(response.headers.get("Vary")).toBe("Origin");
});

test.each([
  "https://example.com",
  "null",
  "http://localhost.example.com",
  "http://127.0.0.1.nip.io",
])("does nothing for pages at %s, even as the owner", async (origin) => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { a: 1 } });
  const headers = { Origin: origin };

  const responses = [
    await sendRest(server, "/.json", { method: "OPTIONS", headers }, "nobody"),
    await sendRest(server, "/.json", { method: "DELETE", headers }),
    await sendRest(server, "/.json", { headers }),
  ];

  expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(responses[2]?.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(server.export()).toEqual({ [NAMESPACE]: { a: 1 } });
});

test.each<[string, Record<string, string>, number]>([
  ["a page of another site", { Referer: "https://example.com/" }, 403],
  ["a page of another site that hides its address", { "Sec-Fetch-Site": "cross-site" }, 403],
  ["another site whose name leads here", { Host: "example.com:9000" }, 403],
  ["a page here", { Referer: "http://localhost:8788/", "Sec-Fetch-Site": "cross-site" }, 200],
  ["the address bar", { "Sec-Fetch-Site": "none" }, 200],
])("responds to a script or a link of %s with %d", async (_, headers, status) => {
  await using server = await startTestDatabase();
  const { host, port } = server;
  const path = `/a.json?ns=${NAMESPACE}&auth=owner&callback=steal`;

  const sent = request({ host, port, path, headers }).end();
  const [response]: IncomingMessage[] = await once(sent, "response");

  expect(response?.statusCode).toBe(status);
  response?.resume();
});

test("opens no socket for a page of another site", async () => {
  await using server = await startTestDatabase();
  const open = (origin: string) => openSocket(server, undefined, { origin });

  await expect(open("https://example.com")).rejects.toThrow("403");
  using socket = await open("http://localhost:8788");
  expect(await socket.next()).toMatchObject({ t: "c" });
});

test("refuses a body of 100 MB from its announced length, before it is sent", async () => {
  await using server = await startTestDatabase();
  const announced = sendHeaders(server, { "Content-Length": "100000000" });

  const [response]: IncomingMessage[] = await once(announced, "response");

  expect(response?.statusCode).toBe(413);
  announced.destroy();
});

test("refuses a body without a length once it is too long, and keeps none of it", async () => {
  await using server = await startTestDatabase();
  const endless = sendHeaders(server, { "Transfer-Encoding": "chunked" });
  const chunk = Buffer.alloc(1024 * 1024, " ");
  let sent = 0;
  const responded: Promise<IncomingMessage[]> = once(endless, "response");
  const write = () => {
    sent += chunk.length;
    if (sent < 200 * chunk.length) endless.write(chunk, () => setImmediate(write));
  };
  write();

  const [response] = await responded;

  expect(response?.statusCode).toBe(413);
  expect(sent).toBeLessThan(100 * chunk.length);
  endless.destroy();
});

test("lists the databases to the owner", async () => {
  await using server = await startTestDatabase();
  server.import({ one: 1, two: 2 });

  expect(await send(server, "GET", "/.inspect/databases.json")).toEqual(
    ["one", "two", NAMESPACE].map((name) => ({ name })),
  );
});

test("allows only the owner to replace the rules, and rejects invalid ones", async () => {
  await using server = await startTestDatabase();
  const path = "/.settings/rules.json";
  const none = '{"rules": {".read": false}}';

  const replaced = await sendRest(server, path, { method: "PUT", body: none });
  const bad = await sendRest(server, path, {
    method: "PUT",
    body: '{"rules": {\n  ".read": "tr"}}',
  });
  const stranger = await sendRest(server, path, { method: "PUT", body: none }, "nobody");

  expect([replaced.status, bad.status, stranger.status]).toEqual([200, 400, 401]);
  expect(await bad.json()).toEqual({ error: "2:13: Unknown variable 'tr'." });
  expect(await (await sendRest(server, path)).text()).toBe(none);
  expect((await sendRest(server, "/a.json", {}, "nobody")).status).toBe(401);
});

test("responds to long polling with a script that switches back to WebSockets", async () => {
  await using server = await startTestDatabase();

  const response = await sendRest(server, "/.lp?start=t&ser=1&cb=7&v=5");
  const hostile = await sendRest(server, '/.lp?start=t&cb=7"](alert(1))//');

  expect(response.headers.get("Content-Type")).toBe("application/javascript");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const script = await response.text();
  expect(script).toContain('removeItem("firebase:previous_websocket_failure")');
  expect(script).toContain('parent.window["pLPCommand7"]("close")');
  expect(await hostile.text()).not.toContain("alert");
});

test("fails with EADDRINUSE when the port is in use", async () => {
  await using server = await startTestDatabase();

  await expect(startDatabase({ rules: OPEN_RULES, port: server.port })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});

test("listens on loopback addresses only", async () => {
  await expect(startDatabase({ rules: OPEN_RULES, host: "0.0.0.0" })).rejects.toThrow(
    '"0.0.0.0" is not a loopback address.',
  );
});

test("an invalid import changes nothing", async () => {
  await using server = await startTestDatabase();
  server.import({ one: { a: 1 } });

  expect(() => server.import({ one: null, two: { "b.c": 1 } })).toThrow("Invalid key");
  expect(() => server.import({ one: null, "../two": 1 })).toThrow("cannot name a database");

  expect(server.export()).toEqual({ one: { a: 1 } });
});

async function send(
  server: DatabaseServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await sendRest(server, path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** Sends the headers of a write as the owner. The caller sends the body. */
function sendHeaders(server: DatabaseServer, headers: Record<string, string>): ClientRequest {
  const { host, port } = server;
  const sent = request({
    ...{ host, port, method: "PUT", path: `/a.json?ns=${NAMESPACE}` },
    headers: { ...headers, Authorization: "Bearer owner" },
  });
  sent.on("error", () => {}); // The server closes the connection before the body has been sent.
  sent.flushHeaders();
  return sent;
}

function readTagged(server: DatabaseServer, path: string): Promise<Response> {
  return sendRest(server, path, { headers: ETAG });
}

async function repeat(times: number, run: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) await run();
}

function latin1(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, "latin1");
}
