import type { FirebaseHosts } from "../hosts.ts";
import { html, type Html, type HtmlValue } from "../html.ts";
import type {
  Accounts,
  Collections,
  DatabaseLeaf,
  DatabaseNode,
  Document,
  Documents,
} from "./firebase-data.ts";
import type { Mail } from "./mails.ts";

const MAX_STRING_LENGTH = 2_000;

/** What can be deleted at once, in words. */
export const RESETS = {
  all: "everything",
  accounts: "all accounts and e-mails",
  documents: "all documents",
  database: "all data of the Realtime Database",
} as const;
export type Reset = keyof typeof RESETS;

const PAGES = [
  ["/", "Overview"],
  ["/accounts", "Accounts"],
  ["/mails", "E-mails"],
  ["/firestore", "Firestore"],
  ["/database", "Realtime Database"],
  ["/reset", "Reset"],
] as const;

const PROVIDERS: Record<string, string> = { password: "Password", "google.com": "Google" };

interface Page {
  title: string;
  /** The address in the navigation that the page belongs to. */
  section?: (typeof PAGES)[number][0];
  content: HtmlValue;
}

export function renderOverview(hosts: FirebaseHosts, projectId: string, dataNote: string): Html {
  const servers = [
    ["Auth", hosts.FIREBASE_AUTH_EMULATOR_HOST],
    ["Firestore", hosts.FIRESTORE_EMULATOR_HOST],
    ["Realtime Database", hosts.FIREBASE_DATABASE_EMULATOR_HOST],
    ["Stand-in for Google", hosts.GOOGLE_EMULATOR_HOST],
  ] as const;
  const rows = servers.map(([name, host]) => {
    return html`<tr>
      <th scope="row">${name}</th>
      <td><code>${host}</code></td>
    </tr>`;
  });
  return renderPage({
    title: "Overview",
    section: "/",
    content: html` <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Address</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
      <h2>Data</h2>
      <p>${dataNote}</p>
      <h2>Project</h2>
      <p><code>${projectId}</code></p>`,
  });
}

export function renderAccounts({ users, nextPageToken }: Accounts): Html {
  const items = users.map((user) => {
    const { email = "No e-mail address", displayName, emailVerified, disabled } = user;
    const providers = user.providerUserInfo.map(({ providerId: id }) => PROVIDERS[id] ?? id);
    return html` <li>
      <p>
        <strong>${email}</strong> ${displayName}
        ${emailVerified ? html`<span class="badge yes">Verified</span>` : html`<span class="badge">Not verified</span>`}
        ${disabled ? html`<span class="badge">Disabled</span>` : undefined}
      </p>
      <p>
        <small
          >${providers.length === 0 ? "No sign-in method" : providers.join(", ")} · created
          ${renderTime(user.createdAt)} ·
          ${user.lastLoginAt === undefined ? "never signed in" : ["signed in ", renderTime(user.lastLoginAt)]}
          · <code>${user.localId}</code></small
        >
      </p>
    </li>`;
  });
  return renderPage({
    title: "Accounts",
    section: "/accounts",
    content: [renderList(items, "No accounts."), renderNext("/accounts", nextPageToken)],
  });
}

export function renderMails(mails: readonly Mail[], isPrintedElsewhere: boolean): Html {
  const items = mails.map(
    ({ text, sentAt }) =>
      html`<li>
        <p>${linkify(text)}</p>
        <p><small>${renderTime(sentAt.getTime())}</small></p>
      </li>`,
  );
  const none = isPrintedElsewhere
    ? "The Auth server was already running, so what started it prints the links."
    : "No e-mails yet.";
  return renderPage({
    title: "E-mails",
    section: "/mails",
    content: html`<p class="quiet">
        What production would send. The newest 100 are kept until the launcher ends.
      </p>
      ${renderList(items, none)}`,
  });
}

/** Returns the page of a document, or of Firestore itself for an empty path. */
export function renderDocument(
  path: readonly string[],
  document: Document | undefined,
  { collectionIds, nextPageToken }: Collections,
): Html {
  const address = toAddress("/firestore", path);
  const items = collectionIds.map((id) => renderLink(toAddress(address, [id]), id));
  return renderPage({
    title: path.at(-1) ?? "Firestore",
    section: "/firestore",
    content: [
      renderPath("Firestore", "/firestore", path),
      path.length === 0 ? renderOpenForm("/firestore", "rooms/general/messages") : undefined,
      path.length > 0
        ? html`<h2>Fields</h2>
            ${renderFields(document)}`
        : undefined,
      html`<h2>Collections</h2>
        ${renderList(items, "No collections.")}`,
      renderNext(address, nextPageToken),
    ],
  });
}

export function renderCollection(
  path: readonly string[],
  { documents, nextPageToken }: Documents,
): Html {
  const address = toAddress("/firestore", path);
  const items = documents.map(({ name, updateTime }) => {
    const id = name.slice(name.lastIndexOf("/") + 1);
    const time =
      updateTime === undefined
        ? "Doesn't exist, but has collections"
        : html`Changed ${renderTime(Date.parse(updateTime))}`;
    return html`<li>
      <a href="${toAddress(address, [id])}">${id}</a><br /><small>${time}</small>
    </li>`;
  });
  return renderPage({
    title: path.at(-1) ?? "",
    section: "/firestore",
    content: [
      renderPath("Firestore", "/firestore", path),
      html`<h2>Documents</h2>`,
      renderList(items, "No documents."),
      renderNext(address, nextPageToken),
    ],
  });
}

export function renderDatabases(namespaces: readonly string[]): Html {
  return renderPage({
    title: "Realtime Database",
    section: "/database",
    content: renderList(
      namespaces.map((namespace) => renderLink(toAddress("/database", [namespace]), namespace)),
      "",
    ),
  });
}

export function renderDatabase(
  namespace: string,
  path: readonly string[],
  node: DatabaseNode,
): Html {
  const address = toAddress("/database", [namespace, ...path]);
  return renderPage({
    title: path.at(-1) ?? namespace,
    section: "/database",
    content: [
      renderPath("Realtime Database", "/database", [namespace, ...path]),
      path.length === 0 ? renderOpenForm(address, "status") : undefined,
      "children" in node ? renderChildren(address, node) : html`<p>${renderLeaf(node)}</p>`,
    ],
  });
}

function renderChildren(
  address: string,
  { count, children, next }: Extract<DatabaseNode, { count: number }>,
): HtmlValue {
  const rows = children.map(({ key, node }) => {
    const link = html`<a href="${toAddress(address, [key])}">${key}</a>`;
    return html`<tr>
      <th scope="row">${link}</th>
      <td>${renderLeaf(node)}</td>
    </tr>`;
  });
  const more = html`<p><a class="button" href="${address}?from=${next}">Next page</a></p>`;
  return [
    html`<p class="quiet">${countKeys(count)}</p>`,
    html`<table>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
    next === undefined ? undefined : more,
  ];
}

function renderLeaf(leaf: DatabaseLeaf): HtmlValue {
  if ("count" in leaf) return html`<span class="quiet">${countKeys(leaf.count)}</span>`;
  if (leaf.value === null) return "No data.";
  return html`<code>${cut(JSON.stringify(leaf.value))}</code>`;
}

function countKeys(count: number): string {
  return count === 1 ? "1 key" : `${count} keys`;
}

/** @param done what has just been deleted */
export function renderResets(done?: { reset: Reset; isSeeded: boolean }): Html {
  const items = Object.entries(RESETS).map(([reset, words]) =>
    renderLink(`/reset/${reset}`, `Delete ${words}…`),
  );
  return renderPage({
    title: "Reset",
    section: "/reset",
    content: [
      done &&
        html`<p class="note" role="status">
          Deleted ${RESETS[done.reset]}.
          ${done.isSeeded ? "Added the demo accounts and messages." : undefined}
        </p>`,
      renderList(items, ""),
    ],
  });
}

export function renderConfirmation(reset: Reset): Html {
  return renderPage({
    title: `Delete ${RESETS[reset]}?`,
    section: "/reset",
    content: html` <p>This can't be undone.</p>
      <form method="post" action="/reset/${reset}">
        <label class="check"
          ><input type="checkbox" name="seed" value="yes" /> Then add the demo accounts and messages
          again</label
        >
        <div class="actions">
          <button class="danger">Delete ${RESETS[reset]}</button>
          <a class="button" href="/reset">Cancel</a>
        </div>
      </form>`,
  });
}

export function renderError(title: string, reason: string): Html {
  return renderPage({ title, content: html`<p>${reason}</p>` });
}

function renderPage({ title, section, content }: Page): Html {
  const links = PAGES.map(([address, name]) => {
    const current = address === section ? html` aria-current="page"` : undefined;
    return html`<li><a href="${address}" ${current}>${name}</a></li>`;
  });
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Local Firebase</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <p><strong>Local Firebase</strong></p>
          <nav aria-label="Pages">
            <ul>
              ${links}
            </ul>
          </nav>
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
}

function renderList(items: readonly Html[], none: string): Html {
  if (items.length === 0) return html`<p>${none}</p>`;
  return html`<ul class="list">
    ${items}
  </ul>`;
}

function renderLink(address: string, name: string): Html {
  return html`<li><a href="${address}">${name}</a></li>`;
}

function renderNext(address: string, pageToken: string | undefined): Html | undefined {
  if (!pageToken) return undefined;
  return html`<p>
    <a class="button" href="${address}?page=${encodeURIComponent(pageToken)}">Next page</a>
  </p>`;
}

/** Links every ancestor, and the root under its own name. */
function renderPath(root: string, address: string, path: readonly string[]): Html {
  const items = path.map((segment, index) => {
    if (index === path.length - 1) return html`<li aria-current="page">${segment}</li>`;
    return renderLink(toAddress(address, path.slice(0, index + 1)), segment);
  });
  if (items.length === 0) return html``;
  return html`<nav aria-label="Path">
    <ol class="path">
      ${renderLink(address, root)}${items}
    </ol>
  </nav>`;
}

function renderOpenForm(address: string, example: string): Html {
  return html` <form class="fields" action="${address}">
    <label
      >Path<input
        type="text"
        name="path"
        placeholder="${example}"
        autocomplete="off"
        spellcheck="false"
        required
    /></label>
    <button>Open</button>
  </form>`;
}

function renderFields(document: Document | undefined): Html {
  if (document === undefined) return html`<p>This document doesn't exist.</p>`;
  const rows = Object.entries(document.fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => {
      const type = Object.keys(field)[0]?.replace(/Value$/, "");
      return html`<tr>
        <th scope="row">${name}</th>
        <td class="type"><small>${type}</small></td>
        <td>${renderValue(field)}</td>
      </tr>`;
    });
  if (rows.length === 0) return html`<p>No fields.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col" class="type">Type</th>
        <th scope="col">Value</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** Renders a value in the format of Firestore's REST API: an object with one property, named after the type. */
function renderValue(field: unknown): HtmlValue {
  const [[type, value] = []] = Object.entries(toObject(field));
  switch (type) {
    case "mapValue": {
      const fields = Object.entries(toObject(toObject(value).fields));
      if (fields.length === 0) return "{}";
      return html`<ul>
        ${fields.map(([name, item]) => html`<li><small>${name}:</small> ${renderValue(item)}</li>`)}
      </ul>`;
    }
    case "arrayValue": {
      const { values } = toObject(value);
      if (!Array.isArray(values) || values.length === 0) return "[]";
      return html`<ul>
        ${values.map((item) => html`<li>${renderValue(item)}</li>`)}
      </ul>`;
    }
    case "nullValue":
      return html`<code>null</code>`;
    default:
      return cut(typeof value === "string" ? value : JSON.stringify(value ?? null));
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function cut(text: string): string {
  if (text.length <= MAX_STRING_LENGTH) return text;
  return `${text.slice(0, MAX_STRING_LENGTH)}… (${text.length} characters)`;
}

/** Makes links of the http addresses in a text. */
function linkify(text: string): HtmlValue {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}

function renderTime(milliseconds: number): Html {
  const date = new Date(milliseconds);
  const text = date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return html`<time datetime="${date.toISOString()}">${text}</time>`;
}

function toAddress(base: string, segments: readonly string[]): string {
  return base + segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}
