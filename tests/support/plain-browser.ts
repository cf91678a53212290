import { expect } from "vitest";

import { getLocalVariables } from "#emulator/local-project.ts";
import { createAppHandler } from "./app-handler.ts";
import { startFirebase, type TestFirebase } from "./firebase.ts";
import { readFields, readLinks, toText } from "./plain-forms.ts";
import { createPlainBrowser, type PlainPage } from "./plain-requests.ts";

export { readTextArea } from "./plain-forms.ts";

const ORIGIN = "http://localhost";

/**
 * Starts the whole app with its own local Firebase, and a browser without JavaScript, which keeps cookies and follows
 * redirects.
 *
 * @param started a local Firebase to use instead of a new one, which the caller disposes of
 * @param bindings besides the variables
 */
export async function startPlainBrowser(
  variables: Record<string, string> = {},
  started?: TestFirebase,
  bindings: object = {},
) {
  const firebase = started ?? (await startFirebase());
  const deferred: Promise<unknown>[] = [];
  const handle = await createAppHandler(
    {
      SESSION_SECRET: "a secret that is at least 32 characters",
      ...getLocalVariables(firebase.hosts),
      // Tests write to Firebase directly, which no cache notices.
      PAGE_CACHE: "off",
      ...variables,
    },
    { bindings, waitUntil: (promise) => void deferred.push(promise) },
  );
  return {
    firebase,
    handle,
    ...createPlainBrowser(handle, ORIGIN),
    async [Symbol.asyncDispose]() {
      // What continues after a response may still call Firebase.
      while (deferred.length > 0) await Promise.allSettled(deferred.splice(0));
      if (!started) await firebase[Symbol.asyncDispose]();
    },
  };
}

/** Returns the text of each element with one of these names in the page's `<main>`. */
export function readTexts({ html }: PlainPage, names: string[]): string[] {
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  const elements = new RegExp(`<(${names.join("|")})[ >][\\s\\S]*?</\\1>`, "g");
  return [...main.matchAll(elements)].map(([element]) => toText(element));
}

/** Returns whether the page has a link with this text and target. */
export function hasLink(page: PlainPage, text: string, target: string): boolean {
  return readLinks(page).some((link) => link.href === target && link.text === text);
}

/** Returns the texts of the page's alerts. */
export function readAlerts({ html }: PlainPage): string[] {
  return [...html.matchAll(/<div role="alert"[^>]*>([\s\S]*?)<\/div>/g)].map(([, text = ""]) =>
    toText(text),
  );
}

/** Returns the whole text of the page's error, with its hint. */
export function readBanner({ html }: PlainPage): string {
  const start = html.search(/<div [^>]*data-severity="error"/);
  let depth = 0;
  for (const { 0: tag, index } of html.matchAll(/<\/?div/g)) {
    if (start < 0 || index < start) continue;
    depth += tag === "<div" ? 1 : -1;
    if (depth === 0) return toText(html.slice(start, index));
  }
  return "";
}

/** Expects the field to have this value. */
export function expectValue({ html }: PlainPage, name: string, value: string): void {
  const values = readFields(html);
  expect([...values.keys()]).toContain(name);
  expect(values.get(name)).toBe(value);
}
