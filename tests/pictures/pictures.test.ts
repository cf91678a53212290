import { unzipSync } from "fflate/browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";

import { createPlainBrowser } from "#tests/support/plain-requests.ts";
import { startBucket } from "#tests/support/bucket.ts";
import {
  expectValue,
  readBanner,
  readTextArea,
  readTexts,
  startPlainBrowser,
} from "#tests/support/plain-browser.ts";
import { PICTURES } from "./files.ts";

let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket[Symbol.asyncDispose]());

const ORIGIN = "http://localhost";

const bodySchema = z.looseObject({ address: z.string().optional() });

/** Starts the app with a bucket and a signed-in user. */
async function startSignedIn(isOperator = false, bindings: object = bucket.bindings) {
  const cookies = new Map<string, string>();
  const { firebase, handle, ...started } = await startPlainBrowser({}, undefined, bindings);
  const browser = createPlainBrowser(handle, ORIGIN, cookies);
  const person = await firebase.addAccount({ displayName: "Ana Reyes", isOperator });
  await browser.post("/login", { email: person.email, password: person.password });

  function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    if (init.body && !headers.has("Origin")) headers.set("Origin", ORIGIN);
    return handle(new Request(new URL(path, ORIGIN), { ...init, headers }));
  }

  return {
    ...started,
    firebase,
    browser,
    cookies,
    person,
    send,
    /** Sends a file as scripts do. */
    async upload(bytes: Uint8Array<ArrayBuffer>, name = "me.png", headers: HeadersInit = {}) {
      const body = new FormData();
      body.set("picture", new File([bytes], name, { type: "image/svg+xml" }));
      const response = await send("/pictures", { method: "POST", body, headers });
      return { status: response.status, body: bodySchema.parse(await response.json()) };
    },
  };
}

/** Returns a bucket in which each account has as many pictures as it can. R2 would take as many requests to fill. */
function createFullBucket() {
  const objects = Array.from({ length: 300 }, (_, number) => ({ key: `ana/${number}`, size: 1 }));
  return {
    head: () => Promise.resolve(null),
    put: () => {},
    list: () => Promise.resolve({ objects, truncated: false }),
  };
}

const toFile = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], "me.gif", { type: "" });

test("a picture that a user uploads is shown to everyone as what it is, and does nothing", async () => {
  await using app = await startSignedIn();

  const { status, body } = await app.upload(PICTURES.png, "me.html");

  expect(status).toBe(200);
  expect(body).toEqual({ status: "ok", address: expect.any(String) });
  const { address = "" } = body;
  expect(address).toMatch(new RegExp(`^/pictures/${app.person.localId}/[0-9a-f]{32}\\.png$`));
  app.cookies.clear();
  const shown = await app.send(address);
  expect(shown.status).toBe(200);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "public, max-age=86400, immutable",
  });
  expect(await shown.text()).not.toContain("Secret");
  const etag = shown.headers.get("ETag") ?? "";
  const again = await app.send(address, { headers: { "If-None-Match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const head = await app.send(address, { method: "HEAD" });
  expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([
    200,
    "image/png",
    "",
  ]);
});

test("the same picture has the same address, and only its own user can add it there", async () => {
  await using app = await startSignedIn();
  await using other = await startSignedIn();

  const first = await app.upload(PICTURES.webp);
  const second = await app.upload(PICTURES.webp);
  const others = await other.upload(PICTURES.webp);

  expect(second.body).toEqual(first.body);
  expect(others.body.address).toContain(other.person.localId);
});

test("a file that is no picture, or too large, is refused in a sentence", async () => {
  await using app = await startSignedIn();
  const large = (bytes: number) => {
    const file = new Uint8Array(bytes);
    file.set(PICTURES.png);
    return file;
  };
  const svg = new TextEncoder().encode("<svg onload='alert(1)'/>");

  expect(await app.upload(svg, "me.png")).toMatchObject({
    status: 400,
    body: { status: "error", reason: "invalid", hint: "Choose a PNG, JPEG, WebP or AVIF picture." },
  });
  expect((await app.upload(new Uint8Array(0))).body).toMatchObject({
    message: "Choose a picture first.",
  });
  for (const bytes of [5_000_001, 5_200_000]) {
    expect((await app.upload(large(bytes))).body).toMatchObject({
      hint: "A picture can have up to 5 MB.",
    });
  }
  expect((await app.upload(large(5_000_000))).status).toBe(200);
});

test("without scripts, the page of a picture that is refused says why, and asks again", async () => {
  await using app = await startSignedIn();
  const { browser } = app;
  const form = await browser.get("/pictures/new");
  const svg = new File(["<svg/>"], "me.png", { type: "image/png" });
  const large = new Uint8Array(5_200_000);
  large.set(PICTURES.png);

  const refused = await browser.submit(form, "Upload", {}, { picture: svg });
  expect(refused.status).toBe(400);
  expect(readTexts(refused, ["h1"])).toEqual(["Pictures"]);
  expect(readBanner(refused)).toContain("Choose a PNG, JPEG, WebP or AVIF picture.");
  const again = await browser.submit(refused, "Upload", {}, { picture: toFile(large) });
  expect(readBanner(again)).toContain("A picture can have up to 5 MB.");
  const stored = await browser.submit(again, "Upload", {}, { picture: toFile(PICTURES.png) });

  expect(readTexts(stored, ["h1"])).toEqual(["Your picture is stored"]);
  expect(readBanner(stored)).toBe("");
});

test("visitors, other sites, and pages of another user cannot upload", async () => {
  await using app = await startSignedIn();

  const crossSite = app.send("/pictures", {
    method: "POST",
    body: new FormData(),
    headers: { Origin: "https://evil.example" },
  });
  expect((await crossSite).status).toBe(403);
  const stale = new FormData();
  stale.set("uid", "tomas");
  stale.set("picture", toFile(PICTURES.png));
  expect((await app.send("/pictures", { method: "POST", body: stale })).status).toBe(401);
  app.cookies.clear();
  expect((await app.upload(PICTURES.png)).status).toBe(401);
});

test("an address that is no picture's is missing", async () => {
  await using app = await startSignedIn();
  const { body } = await app.upload(PICTURES.png);
  const { address = "" } = body;
  const [, , uid = "", name = ""] = address.split("/");

  for (const path of [
    address.replace("png", "webp"),
    address.replace("png", "svg"),
    `/pictures/${uid}/${"0".repeat(32)}.png`,
    `/pictures/tomas/${name}`,
    `/pictures/tomas/..%2f${uid}%2f${name}`,
    `/pictures/${uid}%2f..%2f${uid}/${name}`,
  ]) {
    const { status, headers } = await app.send(path, { headers: { "If-None-Match": `"${name}"` } });
    expect([status, headers.get("Cache-Control")]).toEqual([404, "no-store"]);
  }
});

test("a photo is uploaded without scripts, and is shown beside messages", async () => {
  await using app = await startSignedIn();
  const { browser } = app;

  const form = await browser.get("/profile");
  const saved = await browser.submit(form, "Save", {}, { photo: toFile(PICTURES.jpg) });

  expect(saved.html).toContain("Saved.");
  const [address = ""] = /\/pictures\/\w+\/\w+\.jpg/.exec(saved.html) ?? [];
  expect((await app.send(address)).status).toBe(200);
  await browser.submit(await browser.get("/create"), "Send", { message: "Hello" });
  app.cookies.clear();
  const room = await browser.get("/home");
  const isShown = new RegExp(`<img [^>]*src="${address}"`).test(room.html);
  expect(isShown).toBe(true);
  await browser.post("/login", { email: app.person.email, password: app.person.password });
  const removed = await browser.submit(await browser.get("/profile"), "Save", { photoURL: "" });
  expect(removed.html.includes('alt="Your photo"')).toBe(false);
});

test("a photo that is refused keeps what was typed, and says why", async () => {
  await using app = await startSignedIn();
  const { browser } = app;
  const fields = { displayName: "Ana R." };

  const refused = await browser.submit(await browser.get("/profile"), "Save", fields, {
    photo: new File(["<svg/>"], "me.svg", { type: "image/svg+xml" }),
  });

  expect(readBanner(refused)).toContain("Choose a PNG, JPEG, WebP or AVIF picture.");
  expect(refused.html).toContain('value="Ana R."');
});

test("without a bucket there is no field for a file, and other paths are no photos", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });

  expect((await browser.get("/profile")).html).not.toContain('type="file" name="photo"');
  const refused = await browser.submit(await browser.get("/profile"), "Save", {
    photoURL: "/pictures/../logout",
  });
  expect(refused.html).toContain("A photo link must begin with https://");
});

test("the pictures of a deleted account are gone", async () => {
  await using app = await startSignedIn();
  const { address = "" } = (await app.upload(PICTURES.png)).body;
  const { email, password } = app.person;

  const form = await app.browser.get("/profile?tab=security");
  const fields = { email, currentPassword: password };
  const done = await app.browser.submit(form, "Delete account", { ...fields, messages: "delete" });

  expect(done.path).toBe("/home");
  expect((await app.send(address)).status).toBe(404);
});

test("downloaded pictures come back in another account, where its texts show them", async () => {
  await using app = await startSignedIn();
  const { address = "" } = (await app.upload(PICTURES.png)).body;
  const empty = await app.browser.get("/create");
  const text = `![The sea](${address}) and ![more](/pictures/tomas/${"0".repeat(32)}.png)`;
  await app.browser.submit(empty, "Save draft", { title: "Salt", text, cover: address });

  const zip = new Uint8Array(await (await app.send("/profile/data")).arrayBuffer());
  const name = address.slice(address.lastIndexOf("/") + 1);
  const stored = await (await app.send(address)).arrayBuffer();
  expect(unzipSync(zip)[`pictures/${name}`]).toEqual(new Uint8Array(stored));

  await using other = await startSignedIn();
  const form = await other.browser.get("/profile?tab=data");
  const done = await other.browser.submit(form, "Import", {}, { file: new File([zip], "a.zip") });
  expect(done.html).toContain("Imported: 1 draft, 1 picture.");
  const own = `/pictures/${other.person.localId}/${name}`;
  expect((await other.send(own)).status).toBe(200);
  const draft = await other.browser.get("/create");
  expect(readTextArea(draft, "Your story")).toBe(text.replace(address, own));
  expectValue(draft, "cover", own);
});

test("texts show their pictures although the download has them in different files", async () => {
  await using app = await startSignedIn();
  const { png, webp, jpg, avif } = PICTURES;
  const addresses: string[] = [];
  for (const picture of [png, webp, jpg, avif]) {
    addresses.push((await app.upload(picture)).body.address ?? "");
  }
  const [cover = ""] = addresses;
  const text = addresses.map((address) => `![The sea](${address})`).join(" ");
  const empty = await app.browser.get("/create");
  await app.browser.submit(empty, "Save draft", { title: "Salt", text, cover });
  const files = await Promise.all(
    [2, 3].map(async (number) => {
      const response = await app.send(`/profile/data?file=${number}&files=3`);
      const zip = new Uint8Array(await response.arrayBuffer());
      return { zip, names: Object.keys(unzipSync(zip)) };
    }),
  );
  const has = (names: string[], folder: string) => names.some((name) => name.startsWith(folder));
  expect(files.map(({ names }) => has(names, "pictures/"))).toEqual([true, true]);

  await using other = await startSignedIn();
  const form = await other.browser.get("/profile?tab=data");
  // First the file with the draft.
  const sorted = files.toSorted(
    (a, b) => Number(has(b.names, "drafts/")) - Number(has(a.names, "drafts/")),
  );
  for (const { zip } of sorted) {
    await other.browser.submit(form, "Import", {}, { file: new File([zip], "a.zip") });
  }

  const toOwn = (words: string) => words.replaceAll(app.person.localId, other.person.localId);
  const draft = await other.browser.get("/create");
  expect(readTextArea(draft, "Your story")).toBe(toOwn(text));
  expectValue(draft, "cover", toOwn(cover));
  for (const address of addresses) expect((await other.send(toOwn(address))).status).toBe(200);
});

test.each([
  ["without a bucket", {}],
  ["when the account has no room for them", { PICTURES: createFullBucket() }],
])("texts keep the addresses of pictures that are not imported %s", async (_when, bindings) => {
  await using app = await startSignedIn();
  const { address = "" } = (await app.upload(PICTURES.png)).body;
  const text = `![The sea](${address})`;
  const empty = await app.browser.get("/create");
  await app.browser.submit(empty, "Save draft", { title: "Salt", text });
  const zip = new Uint8Array(await (await app.send("/profile/data")).arrayBuffer());

  await using other = await startSignedIn(false, bindings);
  const form = await other.browser.get("/profile?tab=data");
  const done = await other.browser.submit(form, "Import", {}, { file: new File([zip], "a.zip") });

  expect(done.html).toContain("Imported: 1 draft.");
  expect(readTextArea(await other.browser.get("/create"), "Your story")).toBe(text);
});

test("an operator removes a picture for good, and the log says so", async () => {
  await using app = await startSignedIn(true);
  await using other = await startSignedIn();
  const { address = "" } = (await other.upload(PICTURES.png)).body;

  const form = await app.browser.get("/profile?tab=reports");
  const fields = { picture: `https://any.example${address}`, reason: "" };
  const asked = await app.browser.submit(form, "Remove picture", fields);
  expect(asked.html).toContain("Say why");
  expectValue(asked, "picture", fields.picture);
  const removed = await app.browser.submit(asked, "Remove picture", { reason: "Not hers" });

  expect(removed.html).toContain("Picture removed.");
  expect(readTexts(removed, ["li"]).join()).toContain("removed a picture of");
  expect((await other.send(address)).status).toBe(404);
  expect((await other.upload(PICTURES.png)).body).toMatchObject({
    reason: "denied",
    hint: "An operator has removed this picture.",
  });
  const denied = await other.browser.post("/profile?tab=reports", {
    ...{ intent: "moderate", action: "picture", picture: address, reason: "No" },
  });
  expect(denied.status).toBe(403);
});

test("a picture that the bucket does not remove is not removed yet, and the operator reads so", async () => {
  const silent = {
    head: () => Promise.resolve({ size: 1 }),
    put: () => Promise.reject(new Error("R2 does not respond")),
  };
  await using app = await startSignedIn(true, { PICTURES: silent });

  const form = await app.browser.get("/profile?tab=reports");
  const picture = `/pictures/tomas/${"0".repeat(32)}.png`;
  const failed = await app.browser.submit(form, "Remove picture", { picture, reason: "Not his" });

  expect(failed.status).toBe(503);
  expect(readBanner(failed)).toBe(
    "Not removed yet.We couldn't reach the pictures. Try again; the log then has two entries.",
  );
  expect(readTexts(failed, ["li"]).join()).toContain("removed a picture of");
});

test("a user can have so many pictures, and no more", async () => {
  await using app = await startSignedIn(false, { PICTURES: createFullBucket() });

  const { status, body } = await app.upload(PICTURES.png);

  expect(status).toBe(409);
  expect(body).toMatchObject({ reason: "too-many" });
});

test("a cover is uploaded without scripts when its story is published", async () => {
  await using app = await startSignedIn();
  const { browser } = app;
  const empty = await browser.get("/create");
  const review = await browser.submit(empty, "review", { title: "Salt", text: "Once." });

  const svg = new File(["<svg/>"], "cover.png", { type: "image/png" });
  const refused = await browser.submit(review, "publish", {}, { coverFile: svg });
  expect(refused.html).toContain("Choose a PNG, JPEG, WebP or AVIF picture.");
  expectValue(refused, "title", "Salt");
  const published = await browser.submit(
    refused,
    "publish",
    {},
    { coverFile: toFile(PICTURES.webp) },
  );

  const own = new RegExp(`<img [^>]*src="(/pictures/${app.person.localId}/\\w+\\.webp)"`);
  const [, cover = ""] = own.exec(published.html) ?? [];
  expect((await app.send(cover)).status).toBe(200);
  expectValue(await browser.get("/create"), "cover", cover);
});
