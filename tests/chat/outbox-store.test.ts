import "fake-indexeddb/auto";

import { afterEach, expect, test, vi } from "vitest";

import { createOutboxStore } from "#app/chat/outbox/outbox-store.ts";

afterEach(() => vi.unstubAllGlobals());

test("stores an outbox in IndexedDB, for every tab", async () => {
  const [one, two] = [createOutboxStore(), createOutboxStore()];
  const changed = new Promise<void>((resolve) => two.subscribe("ida", resolve));
  await one.update("ida", (stored) => ({ ...stored, inputText: "Half wri" }));

  await changed;
  expect(await two.get("ida")).toEqual({ entries: [], inputText: "Half wri" });
  expect(await two.get("bo")).toEqual({ entries: [], inputText: "" });
});

test("stores an outbox again after another tab has deleted the site's data", async () => {
  const store = createOutboxStore();
  await store.update("mira", (stored) => ({ ...stored, inputText: "Half wri" }));

  await new Promise((resolve) => {
    indexedDB.deleteDatabase("inkglade-outbox").onsuccess = resolve;
  });

  expect(await createOutboxStore().get("mira")).toMatchObject({ inputText: "" });
  expect(await store.get("mira")).toMatchObject({ inputText: "Half wri" });
  await store.update("mira", (stored) => ({ ...stored, inputText: `${stored.inputText}tten` }));
  expect(await createOutboxStore().get("mira")).toMatchObject({ inputText: "Half written" });
});

test("stores an outbox although a transaction was aborted", async () => {
  const store = createOutboxStore();
  await store.get("tomas");
  using _put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
    throw new DOMException("The connection was closed.", "AbortError");
  });

  await store.update("tomas", (stored) => ({ ...stored, inputText: "Half wri" }));

  expect(store.isPersistent()).toBe(true);
  expect(await createOutboxStore().get("tomas")).toMatchObject({ inputText: "Half wri" });
});

test("stores an outbox in memory when the browser denies IndexedDB", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("Denied", "SecurityError");
    },
  });
  const store = createOutboxStore();
  await store.update("ana", (stored) => ({ ...stored, inputText: "Half wri" }));

  expect(await store.get("ana")).toMatchObject({ inputText: "Half wri" });
  expect(store.isPersistent()).toBe(false);
});
