import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import type { FirebaseHosts } from "../hosts.ts";
import type { Html } from "../html.ts";
import { findFreePort, listen, LOOPBACK } from "../ports.ts";
import { DataError, FirebaseData } from "./firebase-data.ts";
import type { Mails } from "./mails.ts";
import {
  renderAccounts,
  renderCollection,
  renderConfirmation,
  renderDatabase,
  renderDatabases,
  renderDocument,
  renderError,
  renderMails,
  renderOverview,
  renderResets,
  type Reset,
} from "./pages.ts";
import { STYLE } from "./style.ts";

const resets = ["all", "accounts", "documents", "database"] as const;

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  // Not "no-referrer", with which browsers send no origin with forms.
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

export interface UiOptions {
  /** Another one is used when it is taken. */
  port: number;
  projectId: string;
  hosts: FirebaseHosts;
  /** A sentence about where data is saved. */
  dataNote: string;
  /** `undefined` when the Auth server was already running. */
  mails: Mails | undefined;
  /** Adds the demo accounts and messages that are missing. */
  seed: () => Promise<unknown>;
}

export interface UiServer {
  url: string;
  close(): Promise<void>;
}

/** Starts a server with pages to look at what the local servers have, and to delete it. */
export async function startUi(options: UiOptions): Promise<UiServer> {
  const data = new FirebaseData(options.hosts, options.projectId);
  const server = createServer((request, response) => {
    respond(request, response, options, data).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const isExpected = error instanceof DataError;
      const reason = error instanceof Error ? error.message : String(error);
      send(response, isExpected ? 502 : 500, renderError("This page can't be shown", reason));
    });
  });
  const listening = await listen(server, options.port).catch(async () =>
    listen(server, await findFreePort()),
  );
  return { url: `http://${LOOPBACK}:${listening.port}`, close: () => listening.close() };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: UiOptions,
  data: FirebaseData,
): Promise<void> {
  const { host = "", origin } = request.headers;
  const isPost = request.method === "POST";
  // A name that another site has pointed to this machine, and a form of another site.
  if (!isLoopback(host) || (isPost && origin !== `http://${host}`)) {
    const reason = "Only the pages of this server may use it.";
    return send(response, 403, renderError("Other sites are refused", reason));
  }
  if (!isPost && request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD, POST");
    return send(response, 405, renderError("This method isn't supported", "Use GET or POST."));
  }
  const address = request.url ?? "/";
  if (!URL.canParse(address, "http://localhost")) return sendNotFound(response);
  const url = new URL(address, "http://localhost");
  if (url.pathname === "/style.css") {
    return void response.writeHead(200, { ...HEADERS, "Content-Type": "text/css" }).end(STYLE);
  }
  const [section = "", ...path] = decodePath(url.pathname);
  if (isPost) {
    const reset = parseReset(section, path);
    if (reset === undefined) return sendNotFound(response);
    const isSeeded = new URLSearchParams(await text(request)).get("seed") === "yes";
    await deleteData(reset, options, data);
    if (isSeeded) await options.seed();
    return redirect(response, `/reset?${new URLSearchParams({ reset, seeded: String(isSeeded) })}`);
  }

  const { searchParams } = url;
  const opened = searchParams.get("path");
  if (opened !== null && (section === "firestore" || section === "database")) {
    const segments = opened.split("/").filter((segment) => segment !== "");
    const opening = [section, ...path, ...segments].map(encodeURIComponent).join("/");
    return redirect(response, `/${opening}`);
  }
  const page = await renderPage({ section, path, searchParams }, options, data);
  if (page === undefined) return sendNotFound(response);
  send(response, 200, page);
}

interface Address {
  section: string;
  path: string[];
  searchParams: URLSearchParams;
}

/** Returns `undefined` when there is no such page. */
async function renderPage(
  { section, path, searchParams }: Address,
  { hosts, projectId, dataNote, mails }: UiOptions,
  data: FirebaseData,
): Promise<Html | undefined> {
  const pageToken = searchParams.get("page") ?? undefined;
  const [namespace, ...keys] = path;
  if (section === "firestore") {
    if (path.length % 2 === 1) {
      return renderCollection(path, await data.listDocuments(path, pageToken));
    }
    const document = path.length === 0 ? undefined : await data.findDocument(path);
    return renderDocument(path, document, await data.listCollections(path, pageToken));
  }
  if (section === "database") {
    if (namespace === undefined) return renderDatabases(await data.listDatabases());
    const from = Math.max(0, Math.trunc(Number(searchParams.get("from"))) || 0);
    return renderDatabase(namespace, keys, await data.readNode(namespace, keys, from));
  }
  if (section === "reset" && path.length > 0) {
    const reset = parseReset(section, path);
    return reset && renderConfirmation(reset);
  }
  if (path.length > 0) return undefined;
  switch (section) {
    case "":
      return renderOverview(hosts, projectId, dataNote);
    case "accounts":
      return renderAccounts(await data.listAccounts(pageToken));
    case "mails":
      return renderMails(mails?.newestFirst ?? [], mails === undefined);
    case "reset": {
      const reset = parseReset(section, [searchParams.get("reset") ?? ""]);
      return renderResets(reset && { reset, isSeeded: searchParams.get("seeded") === "true" });
    }
    default:
      return undefined;
  }
}

async function deleteData(reset: Reset, { mails }: UiOptions, data: FirebaseData): Promise<void> {
  if (reset === "all" || reset === "accounts") {
    await data.deleteAccounts();
    mails?.clear();
  }
  if (reset === "all" || reset === "documents") await data.deleteDocuments();
  if (reset === "all" || reset === "database") await data.deleteDatabases();
}

function parseReset(section: string, [name, ...rest]: readonly string[]): Reset | undefined {
  if (section !== "reset" || rest.length > 0) return undefined;
  return resets.find((reset) => reset === name);
}

function decodePath(pathname: string): string[] {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return segments; // Not percent-encoded: no page has such an address.
  }
}

function isLoopback(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  return [LOOPBACK, "localhost", "[::1]"].includes(new URL(`http://${host}`).hostname);
}

function sendNotFound(response: ServerResponse): void {
  send(response, 404, renderError("Not found", "There is no page at this address."));
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, "Cache-Control": "no-store" }).end();
}

function send(response: ServerResponse, status: number, page: Html): void {
  response.writeHead(status, HEADERS).end(page.text);
}
