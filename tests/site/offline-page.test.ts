import { afterEach, expect, test, vi } from "vitest";

import { VISITOR } from "#app/http/headers.ts";
import { findPage, keepPage, setKeptUser } from "#app/site/kept/kept-pages.ts";
import { createOfflinePage } from "#app/site/kept/offline-html.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const ORIGIN = "https://inkglade.example";

afterEach(() => void vi.unstubAllGlobals());

test("the offline page leads to no other host, whatever address was opened", async () => {
  const url = new URL(`${ORIGIN}//evil.example/x?y=1`);

  const html = await createOfflinePage(url, []).text();

  expect(html).toContain('<a href="/evil.example/x?y=1">Try again</a>');
});

test("a page is kept with the files that its tags name, and none that its texts name", async () => {
  await using app = await startApp();
  const names = Array.from({ length: 120 }, (_, index) => `/assets/x${index}.js`);
  const tag = `<link href="${names[0]}">`;
  const text = `${names.join(" ")}\n\n\`${tag}\`\n\n![${tag}](https://example.com/x.png)`;
  const path = "/read/names-0000000001";
  await publishStory(app.firebase.hosts, { id: "names-0000000001", title: "Names", text });
  const handle = await createAppHandler(app.env);
  const added = stubCaches();

  await setKeptUser(VISITOR);
  await keepPage(path, await handle(new Request(ORIGIN + path)));

  const { files } = (await findPage(path)) ?? {};
  expect(files).toContain("/assets/entry.js");
  expect(files).toContain("/assets/covers/the-lamplighters-orchard.svg");
  expect(files?.filter((file) => names.includes(file))).toEqual([]);
  expect(added).toEqual(files);
});

/** Replaces the browser's Cache Storage. Returns the paths of the files that are added. */
function stubCaches(): string[] {
  const added: string[] = [];
  const stores = new Map<string, Map<string, Response>>();
  const open = (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      match: async (path: string) => store.get(path)?.clone(),
      put: async (path: string, response: Response) => void store.set(path, response),
      delete: async (path: string) => store.delete(path),
      keys: async () => [...store.keys()].map((path) => ({ url: ORIGIN + path })),
      add: async (path: string) => void added.push(path),
    };
  };
  vi.stubGlobal("caches", {
    open: async (name: string) => open(name),
    has: async (name: string) => stores.has(name),
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
  });
  return added;
}
