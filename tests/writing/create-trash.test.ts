import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { loader } from "#app/routes/create.tsx";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import { startServer } from "#tests/support/server.ts";

const HOUR_MS = 60 * 60_000;

test("removes a deleted draft from the list, and restores it", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();
  await page.send(form);

  const gone = await page.send({ intent: "trash", id: form.id, revision: "1" });
  const address = gone.headers.get("Location") ?? "";
  expect(await page.list(address)).toEqual([]);
  expect((await page.load(address)).trashed).toEqual({ id: form.id, revision: 2 });

  const back = await page.send({ intent: "restore", id: form.id, revision: "2" });
  expect(back.headers.get("Location")).toBe(`/create?draft=${form.id}`);
  expect((await page.load(`/create?draft=${form.id}`)).draft.text).toBe("The tide\ncame in.");
});

test("shows a deleted draft at its address, where saving restores it", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();
  await page.send(form);
  await page.send({ intent: "trash", id: form.id, revision: "1" });
  const path = `/create?draft=${form.id}`;
  const deleted = { text: "The tide\ncame in.", revision: 2, deletedAt: expect.any(Number) };
  expect((await page.load(path)).draft).toMatchObject(deleted);

  const { status, data } = await page.send({ ...form, revision: "1", text: "Written here" });
  expect(status).toBe(409);
  expect(data).toMatchObject({
    result: { status: "conflict", remote: deleted },
    typed: { text: "Written here" },
  });

  await page.send({ ...form, revision: "2", text: "Written here" });
  const { draft } = await page.load(path);
  expect(draft).toMatchObject({ text: "Written here", deletedAt: null });
  expect(await page.list(path)).toMatchObject([{ id: form.id }]);
});

test("deletes a draft and its versions permanently on the first visit after a day", async () => {
  await using page = await startCreatePage();
  const { app, person } = page;
  const form = createDraftForm({ intent: "publish" });
  const fresh = createDraftForm();
  await page.send(form);
  await page.send({ ...form, intent: "unpublish", revision: "1" });
  await page.send({ intent: "trash", id: form.id, revision: "2" });
  await page.send(fresh);
  await page.send({ intent: "trash", id: fresh.id, revision: "1" });
  const { hosts } = app.firebase;
  const path = `users/${person.localId}/drafts`;
  const deletedAt = { timestampValue: new Date(Date.now() - 25 * HOUR_MS).toISOString() };
  await changeDocument(hosts, `${path}/${form.id}`, { deletedAt });

  expect(await page.list()).toEqual([]);
  await app.finish();

  for (const rest of ["", "/parts/0", "/versions/1", "/versions/1/parts/0"]) {
    const left = await readDocument(hosts, `${path}/${form.id}${rest}`);
    expect(left, rest).toMatchObject({ error: { code: 404 } });
  }
  const { status, data } = await page.send({ intent: "restore", id: form.id, revision: "3" });
  expect(status).toBe(400);
  expect(data).toMatchObject({ result: { hint: expect.stringContaining("can't be restored") } });
  await page.send({ intent: "restore", id: fresh.id, revision: "2" });
  expect(await page.list()).toMatchObject([{ id: fresh.id }]);
});

test("deletes a limited number of drafts permanently per visit", async () => {
  await using page = await startCreatePage();
  const { hosts } = page.app.firebase;
  const path = `users/${page.person.localId}/drafts`;
  const forms = Array.from({ length: 6 }, () => createDraftForm());
  for (const form of forms) {
    await page.send(form);
    const deletedAt = { timestampValue: "2026-01-01T00:00:00Z" };
    await changeDocument(hosts, `${path}/${form.id}`, { deletedAt });
  }
  const countLeft = async () => {
    const left = await Promise.all(forms.map(({ id }) => readDocument(hosts, `${path}/${id}`)));
    return left.filter((fields) => Object.hasOwn(Object(fields), "revision")).length;
  };

  await page.load();
  await page.app.finish();
  expect(await countLeft()).toBe(2);
  await page.load();
  await page.app.finish();
  expect(await countLeft()).toBe(0);
});

test("deletes drafts permanently after the response", async () => {
  await using page = await startCreatePage();
  const { app, cookie, person } = page;
  const form = createDraftForm();
  await page.send(form);
  const path = `users/${person.localId}/drafts/${form.id}`;
  const deletedAt = { timestampValue: "2026-01-01T00:00:00Z" };
  await changeDocument(app.firebase.hosts, path, { deletedAt });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await using held = await startHeldFirestore(app.env.FIRESTORE_EMULATOR_HOST, released);
  const slow = app.withVariables({ FIRESTORE_EMULATOR_HOST: held.host });

  const { data } = await slow.send(loader, "/create", { cookie });

  expect(data).toMatchObject({ editor: { sidePanel: { drafts: [] } } });
  expect(await readDocument(app.firebase.hosts, path)).toHaveProperty("revision");
  release();
  await slow.finish();
  expect(await readDocument(app.firebase.hosts, path)).toMatchObject({ error: { code: 404 } });
});

/** Starts a proxy in front of Firestore that holds back commits until `released` resolves. */
function startHeldFirestore(host: string, released: Promise<void>) {
  return startServer(async (response, request) => {
    const { url = "", method, headers } = request;
    const body = await text(request);
    if (url.endsWith(":commit")) await released;
    const { authorization } = headers;
    const upstream = await fetch(`http://${host}${url}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(authorization && { Authorization: authorization }),
      },
      ...(body && { body }),
    });
    response.writeHead(upstream.status, { "Content-Type": "application/json" });
    response.end(await upstream.text());
  });
}
