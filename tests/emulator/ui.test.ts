import { once } from "node:events";
import { request } from "node:http";

import { expect, test } from "vitest";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase } from "#emulator/firebase.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { addSeed } from "#emulator/seed.ts";
import { Mails } from "#emulator/ui/mails.ts";
import { startUi } from "#emulator/ui/server.ts";

const NAMESPACE = `${LOCAL_PROJECT_ID}-default-rtdb`;
const HOSTILE = '<script>alert("1")</script>';
/** Neither an id nor a key may contain a slash. */
const KEY = "<script>alert(1)";
const ESCAPED = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;";

test("shows accounts, documents and database values as text, never as HTML", async () => {
  await using local = await start();
  await local.auth("accounts", { email: "ana@example.com", displayName: HOSTILE });
  await local.setDocument(`stories/${KEY}`, {
    title: { stringValue: HOSTILE },
    tags: { arrayValue: { values: [{ stringValue: HOSTILE }] } },
  });
  await local.setDatabase("status", { [KEY]: HOSTILE });

  const pages = [
    await local.open("/accounts"),
    await local.open("/firestore/stories"),
    await local.open(`/firestore/stories/${encodeURIComponent(KEY)}`),
    await local.open(`/database/${NAMESPACE}/status`),
  ];

  expect(pages[0]).toContain("ana@example.com");
  expect(pages[0]).toContain(ESCAPED);
  expect(pages[2]?.split(ESCAPED)).toHaveLength(3);
  expect(pages[3]).toContain("alert(\\&quot;1\\&quot;)");
  for (const page of pages) {
    expect(page).toContain("script&gt;");
    expect(page).not.toContain("<script");
  }
});

test("lists the links that production would e-mail, the newest first", async () => {
  await using local = await start();
  for (const email of ["ana@example.com", "tomas@example.com"]) {
    await local.auth("accounts", { email, password: "correct horse" });
    await local.resetPassword(email);
  }

  await expect.poll(() => local.mails.newestFirst).toHaveLength(2);
  const page = await local.open("/mails");

  expect(page.indexOf("for tomas@example.com")).toBeGreaterThan(-1);
  expect(page.indexOf("for ana@example.com")).toBeGreaterThan(page.indexOf("tomas@example.com"));
  expect(page).toMatch(/<a href="http:\/\/app\.example\/login\?mode=resetPassword&amp;[^"]+">/);
});

test("keeps the newest 100 e-mails", () => {
  const mails = new Mails();
  for (let index = 0; index <= 100; index += 1) mails.add(String(index));

  expect(mails.newestFirst).toHaveLength(100);
  expect(mails.newestFirst[0]?.text).toBe("100");
});

test("leads from a collection to the next page of its documents", async () => {
  await using local = await start();
  for (let index = 10; index <= 60; index += 1) await local.setDocument(`stories/d${index}`, {});

  const first = await local.open("/firestore/stories");
  const [, next = ""] = /<a class="button" href="([^"]+)"/.exec(first) ?? [];
  const second = await local.open(next.replaceAll("&amp;", "&"));

  expect(first).toContain("/firestore/stories/d59");
  expect(first).not.toContain("/firestore/stories/d60");
  expect(second).toContain("/firestore/stories/d60");
  expect(second).not.toContain('class="button"');
});

test("leads from a database value to the next page of its keys", async () => {
  await using local = await start();
  const keys = Array.from({ length: 101 }, (_, index) => [`k${1000 + index}`, { online: true }]);
  await local.setDatabase("status", Object.fromEntries(keys));
  const address = `/database/${NAMESPACE}/status`;

  const first = await local.open(address);
  const second = await local.open(`${address}?from=100`);

  expect(first).toContain("101 keys");
  expect(first).toContain(`href="${address}?from=100"`);
  expect(first).not.toContain("k1100");
  expect(second).toContain("k1100");
});

test("opens the path that was typed", async () => {
  await using local = await start();
  const response = await fetch(`${local.url}/firestore?path=/rooms/a b/`, { redirect: "manual" });

  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/firestore/rooms/a%20b");
});

test.each([
  ["accounts", [0, 1, 1]],
  ["documents", [1, 0, 1]],
  ["database", [1, 1, 0]],
  ["all", [0, 0, 0]],
])("deletes %s and nothing else, and adds the demo data only if asked to", async (what, left) => {
  await using local = await start();
  await local.auth("accounts", { email: "eve@example.com" });
  await local.setDocument("stories/one", {});
  await local.setDatabase("status", { eve: "online" });

  expect(await local.open(`/reset/${what}`)).toContain("This can't be undone.");
  expect((await local.post(`/reset/${what}`)).status).toBe(303);

  const pages = ["/accounts", "/firestore", `/database/${NAMESPACE}`].map(local.open);
  const found = (await Promise.all(pages)).map((page, index) =>
    Number(page.includes(["eve@example.com", "/firestore/stories", "status<"][index] ?? "")),
  );
  expect(found).toEqual(left);
  expect(await local.open("/accounts")).not.toContain("tomas@example.com");

  const response = await local.post(`/reset/${what}`, "seed=yes");
  expect(await local.open(response.headers.get("location") ?? "")).toContain("Added the demo");
  expect(await local.open("/accounts")).toContain("tomas@example.com");
});

test("refuses names that lead to this machine, and the forms of other sites", async () => {
  await using local = await start();
  await local.auth("accounts", { email: "eve@example.com" });
  const { port } = new URL(local.url);

  expect(await local.getStatus("GET", { host: "evil.example" })).toBe(403);
  expect(await local.getStatus("GET", { host: `127.0.0.1.evil.example:${port}` })).toBe(403);
  expect(await local.getStatus("GET", { host: `localhost:${port}` })).toBe(200);
  for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1", undefined]) {
    expect(await local.getStatus("POST", origin === undefined ? {} : { origin })).toBe(403);
  }

  expect(await local.open("/accounts")).toContain("eve@example.com");
});

test("runs no scripts, and is shown in no frame", async () => {
  await using local = await start();
  const { headers } = await fetch(local.url);

  const policy = headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'; style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect((await fetch(`${local.url}/style.css`)).headers.get("content-type")).toBe("text/css");
});

test("takes another port when its own is taken", async () => {
  await using local = await start();
  await using other = await start(Number(new URL(local.url).port));

  expect(other.url).not.toBe(local.url);
  expect((await fetch(other.url)).status).toBe(200);
});

test("says which server does not respond", async () => {
  await using local = await start();
  await local.stopFirebase();

  const response = await fetch(`${local.url}/accounts`);

  expect(response.status).toBe(502);
  expect(await response.text()).toContain(`No server responds at ${local.authHost}.`);
});

test("the pages do not announce that they end connections that are idle", async () => {
  await using local = await start();

  const response = await fetch(local.url);

  expect(response.headers.get("keep-alive")).toBeNull();
});

/** Starts an empty local Firebase with its pages. */
async function start(port = 0) {
  const mails = new Mails();
  const firebase = await startFirebase({
    ...(await readFirebaseJson("firebase.json")),
    ports: { auth: 0, firestore: 0, database: 0 },
    projectId: LOCAL_PROJECT_ID,
    actionUrl: () => "http://app.example/login",
    onMail: (message) => mails.add(message),
  });
  const { hosts, projectId } = firebase;
  const seed = () => addSeed(firebase);
  const ui = await startUi({ port, projectId, hosts, dataNote: "", mails, seed });
  const { FIREBASE_AUTH_EMULATOR_HOST: auth, FIREBASE_DATABASE_EMULATOR_HOST: database } = hosts;
  const documents = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${projectId}/databases/(default)/documents`;
  return {
    url: ui.url,
    mails,
    authHost: auth,
    auth: (method: string, body: object) =>
      send(
        "POST",
        `http://${auth}/identitytoolkit.googleapis.com/v1/projects/${projectId}/${method}`,
        body,
      ),
    /** As a user, because an administrator gets the link and sends it. */
    resetPassword: (email: string) =>
      send(
        "POST",
        `http://${auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=local`,
        { requestType: "PASSWORD_RESET", email },
        {},
      ),
    setDocument: (path: string, fields: object) =>
      send("PATCH", `${documents}/${path.split("/").map(encodeURIComponent).join("/")}`, {
        fields,
      }),
    setDatabase: (path: string, data: object) =>
      send("PUT", `http://${database}/${path}.json?ns=${NAMESPACE}`, data),
    open: async (path: string) => (await fetch(ui.url + path)).text(),
    /** Submits a form as a browser does. */
    post: (path: string, body = "") =>
      fetch(ui.url + path, {
        method: "POST",
        redirect: "manual",
        headers: { Origin: ui.url, "Content-Type": "application/x-www-form-urlencoded" },
        body,
      }),
    /** Tries to open a page, or to delete everything. `fetch` would replace these headers. */
    async getStatus(method: "GET" | "POST", headers: Record<string, string>) {
      const outgoing = request(`${ui.url}/reset/all`, { method, headers }).end();
      const [response] = await once(outgoing, "response");
      response.resume();
      return response.statusCode;
    },
    stopFirebase: () => firebase[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await ui.close();
      await firebase[Symbol.asyncDispose]();
    },
  };
}

async function send(
  method: string,
  url: string,
  body: object,
  credentials: Record<string, string> = { Authorization: "Bearer owner" },
): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { ...credentials, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
