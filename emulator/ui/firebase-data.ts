import * as z from "zod";

import type { FirebaseHosts } from "../hosts.ts";

const PAGE_SIZE = 50;
const CHILDREN_PER_PAGE = 100;

const accountsSchema = z.object({
  users: z
    .array(
      z.object({
        localId: z.string(),
        email: z.string().optional(),
        displayName: z.string().optional(),
        emailVerified: z.boolean().default(false),
        disabled: z.boolean().default(false),
        /** In milliseconds since the Unix epoch. */
        createdAt: z.coerce.number().default(0),
        lastLoginAt: z.coerce.number().optional(),
        providerUserInfo: z.array(z.object({ providerId: z.string() })).default([]),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});
export type Accounts = z.infer<typeof accountsSchema>;

const collectionsSchema = z.object({
  collectionIds: z.array(z.string()).default([]),
  nextPageToken: z.string().optional(),
});
export type Collections = z.infer<typeof collectionsSchema>;

const fieldsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
const documentSchema = z.object({
  name: z.string(),
  fields: fieldsSchema.default({}),
  /** Absent in a list for a document that does not exist, but has collections. */
  updateTime: z.string().optional(),
});
export type Document = z.infer<typeof documentSchema>;

const documentsSchema = z.object({
  documents: z.array(documentSchema).default([]),
  nextPageToken: z.string().optional(),
});
export type Documents = z.infer<typeof documentsSchema>;

const databasesSchema = z.array(z.object({ name: z.string() }));

/** A value of the Realtime Database, or the number of its children. */
export type DatabaseLeaf = { value: unknown } | { count: number };

export type DatabaseNode =
  | { value: unknown }
  | {
      count: number;
      children: { key: string; node: DatabaseLeaf }[];
      /** The index of the first child that is not among them. */
      next: number | undefined;
    };

/** A server did not respond, or not as expected. */
export class DataError extends Error {
  override name = "DataError";
}

/** Reads and deletes what the local servers have, as an administrator. */
export class FirebaseData {
  readonly #auth: string;
  readonly #clearAuth: string;
  readonly #documents: string;
  readonly #clearDocuments: string;
  readonly #database: string;
  readonly #defaultNamespace: string;

  constructor(hosts: FirebaseHosts, projectId: string) {
    const project = `projects/${projectId}`;
    const database = `${project}/databases/(default)/documents`;
    const auth = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}`;
    const firestore = `http://${hosts.FIRESTORE_EMULATOR_HOST}`;
    this.#auth = `${auth}/identitytoolkit.googleapis.com/v1/${project}`;
    this.#clearAuth = `${auth}/emulator/v1/${project}/accounts`;
    this.#documents = `${firestore}/v1/${database}`;
    this.#clearDocuments = `${firestore}/emulator/v1/${database}`;
    this.#database = `http://${hosts.FIREBASE_DATABASE_EMULATOR_HOST}`;
    this.#defaultNamespace = `${projectId}-default-rtdb`;
  }

  async listAccounts(pageToken?: string): Promise<Accounts> {
    const query = toQuery({ maxResults: PAGE_SIZE, nextPageToken: pageToken });
    return accountsSchema.parse(await read(`${this.#auth}/accounts:batchGet?${query}`));
  }

  /** Returns the collections of a document, or those at the top for an empty path. */
  async listCollections(path: readonly string[], pageToken?: string): Promise<Collections> {
    const body = JSON.stringify({ pageSize: PAGE_SIZE, pageToken });
    const url = `${this.#documents}${toPath(path)}:listCollectionIds`;
    return collectionsSchema.parse(await read(url, { method: "POST", body }));
  }

  async listDocuments(collection: readonly string[], pageToken?: string): Promise<Documents> {
    const query = toQuery({ pageSize: PAGE_SIZE, pageToken, showMissing: "true" });
    const url = `${this.#documents}${toPath(collection)}?${query}&mask.fieldPaths=__name__`;
    return documentsSchema.parse(await read(url));
  }

  /** Returns `undefined` when the document does not exist. */
  async findDocument(path: readonly string[]): Promise<Document | undefined> {
    const response = await send(`${this.#documents}${toPath(path)}`);
    if (response.status === 404) return undefined;
    return documentSchema.parse(await readJson(response));
  }

  /** Returns the namespaces, of which the app's default one always exists. */
  async listDatabases(): Promise<string[]> {
    const url = `${this.#database}/.inspect/databases.json?ns=${this.#defaultNamespace}`;
    const databases = databasesSchema.parse(await read(url));
    return [...new Set([this.#defaultNamespace, ...databases.map(({ name }) => name)])];
  }

  /** Returns a value, or the children of an object, at most 100 from the given index. */
  async readNode(namespace: string, path: readonly string[], from: number): Promise<DatabaseNode> {
    const keys = await this.#readShallow(namespace, path);
    if (!isObject(keys)) return { value: keys };
    const names = Object.keys(keys);
    const children = names.slice(from, from + CHILDREN_PER_PAGE).map(async (key) => {
      const child = await this.#readShallow(namespace, [...path, key]);
      return {
        key,
        node: isObject(child) ? { count: Object.keys(child).length } : { value: child },
      };
    });
    const next = from + CHILDREN_PER_PAGE;
    return {
      count: names.length,
      children: await Promise.all(children),
      next: next < names.length ? next : undefined,
    };
  }

  /** Returns a value, or the keys of an object. */
  async #readShallow(namespace: string, path: readonly string[]): Promise<unknown> {
    const query = toQuery({ ns: namespace, shallow: "true" });
    return await read(`${this.#database}${toPath(path) || "/"}.json?${query}`);
  }

  async deleteAccounts(): Promise<void> {
    await read(this.#clearAuth, { method: "DELETE" });
  }

  async deleteDocuments(): Promise<void> {
    await read(this.#clearDocuments, { method: "DELETE" });
  }

  async deleteDatabases(): Promise<void> {
    for (const namespace of await this.listDatabases()) {
      await read(`${this.#database}/.json?ns=${namespace}`, { method: "DELETE" });
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toQuery(params: Record<string, string | number | undefined>): URLSearchParams {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined);
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
}

function toPath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

async function read(url: string, init: RequestInit = {}): Promise<unknown> {
  return await readJson(await send(url, init));
}

async function readJson(response: Response): Promise<unknown> {
  if (response.ok) return await response.json();
  const text = await response.text();
  throw new DataError(`${new URL(response.url).host} responded with ${response.status}: ${text}`);
}

async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: "Bearer owner", "Content-Type": "application/json" };
  return await fetch(url, { ...init, headers }).catch((error: unknown) => {
    throw new DataError(`No server responds at ${new URL(url).host}.`, { cause: error });
  });
}
