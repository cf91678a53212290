import { strFromU8, strToU8, unzipSync, zipSync } from "fflate/browser";

import { loader as download } from "#app/routes/profile.data.ts";
import { action } from "#app/routes/profile.tsx";
import type { ProfileActionResult } from "#app/profile/profile-view.ts";
import type { Outcome, TestApp } from "#tests/support/routes.ts";

/** The texts of files, by their names. */
export type Files = Record<string, string>;

/** Returns the bytes of the user's ZIP. */
export async function downloadZip(
  app: TestApp,
  cookie: string,
  path = "/profile/data",
): Promise<Uint8Array> {
  return readBytes(await app.send(download, path, { cookie }));
}

export async function readBytes(response: Outcome): Promise<Uint8Array> {
  if (!(response instanceof Response)) throw new TypeError("Expected a response");
  return new Uint8Array(await response.arrayBuffer());
}

/** Returns the files in a ZIP. */
export function unzip(bytes: Uint8Array): Files {
  return Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]),
  );
}

/** Returns a ZIP with these files. */
export function zip(files: Files): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)]);
  return zipSync(Object.fromEntries(entries));
}

/** Returns a ZIP with these files that says it is from Inkglade. */
export function createDataZip(files: Files, account: object = { app: "Inkglade", format: 1 }) {
  return zip({ "account.json": JSON.stringify(account), ...files });
}

/** Returns the files of a draft and, in JSON, what the database has of it. */
export function createDraftFiles(id: string, fields: object = {}, text = "Once."): Files {
  const draft = { ...DRAFT, id, ...fields };
  return {
    [`drafts/x-${id}/draft.json`]: JSON.stringify(draft),
    [`drafts/x-${id}/draft.md`]: text,
  };
}

/** Imports a file, and returns the status and what the page says. */
export async function importZip(
  app: TestApp,
  cookie: string,
  bytes: Uint8Array,
): Promise<{ status: number } & ProfileActionResult> {
  const body = new FormData();
  body.set("intent", "import-data");
  body.set("file", new Blob([new Uint8Array(bytes)]), "inkglade.zip");
  const path = "/profile?tab=data&import=1";
  const { status, data } = await app.send(action, path, { body, cookie });
  // What the action of the profile returns.
  return { status, ...(data as ProfileActionResult) };
}

const TIME = "2026-01-02T03:04:05.678901Z";

const DRAFT = {
  title: "Salt",
  description: "",
  tags: ["sea"],
  cover: null,
  words: 1,
  parts: 1,
  revision: 3,
  createdAt: TIME,
  updatedAt: TIME,
  versionedAt: TIME,
  storyId: null,
  publishedRevision: null,
  publishedAt: null,
  deletedAt: null,
};
