import { expect } from "vitest";

import { localVariables } from "#emulator/local-project.ts";
import { createAppHandler } from "./app-handler.ts";
import { startFirebase } from "./firebase.ts";

const ORIGIN = "http://localhost";
const MAX_REDIRECTS = 5;

/** A page as a browser without JavaScript has it. */
export interface PlainPage {
  path: string;
  html: string;
}

/**
 * Starts the whole app with its own local Firebase, and a browser without JavaScript: it keeps cookies and follows redirects.
 * Files that import this module have to replace `react-dom/server` by `react-dom/server.browser`.
 */
export async function startPlainBrowser(variables: Record<string, string> = {}) {
  const firebase = await startFirebase();
  const handle = await createAppHandler({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...localVariables(firebase.hosts),
    ...variables,
  });
  const cookies = new Map<string, string>();

  async function open(path: string, form?: Record<string, string>): Promise<PlainPage> {
    let url = new URL(path, ORIGIN);
    let body = form && new URLSearchParams(form);
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await handle(
        new Request(url, {
          headers: { Cookie: cookie, ...(body && { Origin: ORIGIN }) },
          redirect: "manual",
          ...(body && { method: "POST", body }),
        }),
      );
      storeCookies(cookies, response.headers);
      const location = response.headers.get("Location");
      if (location === null)
        return { path: url.pathname + url.search, html: await response.text() };
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`${path} redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    firebase,
    /** Opens a page. */
    get: (path: string) => open(path),
    /** Submits a form. */
    post: (path: string, form: Record<string, string>) => open(path, form),
    clearCookies: () => cookies.clear(),
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

function storeCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const header of headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    if (/Max-Age=0/.test(header)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** Returns the text of each element with one of these names in the page's `<main>`. */
export function readTexts({ html }: PlainPage, names: string[]): string[] {
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  const elements = new RegExp(`<(${names.join("|")})[ >][\\s\\S]*?</\\1>`, "g");
  return [...main.matchAll(elements)].map(([element]) => toText(element));
}

/** Returns whether the page has a link with this text and target. */
export function hasLink({ html }: PlainPage, text: string, target: string): boolean {
  const links = html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g);
  return [...links].some(([, href, content = ""]) => href === target && toText(content) === text);
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
  const [input = ""] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html) ?? [];
  expect(input).not.toBe("");
  expect(toText(/ value="([^"]*)"/.exec(input)?.[1] ?? "")).toBe(value);
}

function toText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .trim();
}
