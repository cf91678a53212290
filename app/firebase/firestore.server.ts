import {
  convertFromFirestoreValue,
  convertToFirestoreDocument,
  convertToFirestoreValue,
} from "firebase-rest-firestore";
import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { logError } from "#app/http/log-error.server.ts";
import { CallSkippedError, fetchRecorded } from "#app/http/outgoing-calls.server.ts";
import { parseJson } from "#app/http/text.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isDocumentId } from "./document-id.ts";
import { findFirestoreError, FirestoreError } from "./firestore-error.server.ts";
import type {
  CallOptions,
  DocumentSnapshot,
  Firestore,
  FirestoreUser,
  QueryOptions,
  Write,
} from "./firestore-types.ts";

const TIMEOUT_MS = 30_000;

type RestValue = Parameters<typeof convertFromFirestoreValue>[0];

/** One value, such as `{ stringValue: "x" }`. */
const valueSchema = z
  .custom<RestValue>((value) => typeof value === "object" && value !== null)
  .transform(fromValue);

function fromValue(value: RestValue): unknown {
  if ("timestampValue" in value) return PreciseDate.fromTimestamp(value.timestampValue);
  // Firestore sends an empty map without `fields`, which the library takes for null.
  if ("mapValue" in value && !value.mapValue.fields) return {};
  return convertFromFirestoreValue(value);
}

const documentSchema = z
  .object({
    name: z.string(),
    fields: z.record(z.string(), valueSchema).default({}),
    createTime: z.string(),
    updateTime: z.string(),
  })
  .transform(({ name, fields, createTime, updateTime }): DocumentSnapshot => {
    const path = name.replace(/^projects\/[^/]+\/databases\/[^/]+\/documents\//, "");
    return { id: path.slice(path.lastIndexOf("/") + 1), path, fields, createTime, updateTime };
  });

const foundSchema = z.object({ found: documentSchema.optional(), readTime: z.coerce.date() });

/** One item per requested document, so at least one. */
const batchGetSchema = z.tuple([foundSchema], foundSchema);

const querySchema = z.array(z.object({ document: documentSchema.optional() }));

const commitSchema = z.object({
  // Not used, but missing in a response that is not Firestore's.
  commitTime: z.string(),
  writeResults: z
    .array(
      z.object({
        updateTime: z.string().optional(),
        transformResults: z.array(valueSchema).default([]),
      }),
    )
    .default([]),
});

/**
 * Returns Firestore as seen by a user: `firestore.rules` apply to every request.
 *
 * `firebase-rest-firestore` converts the values. We make the requests ourselves, because the library supports only
 * service accounts, cannot abort, reads and writes one document per request, and drops the codes of errors.
 *
 * @param user `null` for requests without a user
 * @see https://firebase.google.com/docs/firestore/reference/rest
 */
export function asUser(env: Env, user: FirestoreUser): Firestore {
  const root = `projects/${env.FIREBASE_PROJECT_ID}/databases/(default)/documents`;
  const toName = (path: string) => `${root}/${requirePath(path)}`;

  /** @param request without a body to read a single document by GET */
  async function callApi<T>(
    method: "get" | "batchGet" | "runQuery" | "commit",
    request: { name: string; body?: object },
    schema: z.ZodType<T>,
    { signal, timeoutMs = TIMEOUT_MS, isLogged = true }: CallOptions = {},
  ): Promise<T> {
    if (user?.idToken === null) {
      throw new UnavailableError("The ID token has expired and cannot be renewed now");
    }
    const { name, body } = request;
    const url = `${getOrigin(env)}/v1/${name}${body ? `:${method}` : ""}`;
    try {
      const json = await fetchJson(method, url, {
        method: body ? "POST" : "GET",
        headers: {
          "Content-Type": "application/json",
          ...(user && { Authorization: `Bearer ${user.idToken}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal,
        timeoutMs,
      });
      return schema.parse(json);
    } catch (cause) {
      signal?.throwIfAborted();
      const isOwn = cause instanceof FirestoreError || cause instanceof UnavailableError;
      const error = isOwn ? cause : new UnavailableError("Firestore did not respond", { cause });
      if (isLogged && !isExpected(method, error) && !(cause instanceof CallSkippedError)) {
        logError(`Firestore could not ${method}.`, toLoggedError(error));
      }
      throw error;
    }
  }

  return {
    async get(path, options) {
      try {
        return await callApi("get", { name: toName(path) }, documentSchema, options);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },

    async batchGet(paths, options) {
      const mask = options?.fields && { fieldPaths: options.fields };
      const body = { documents: paths.map(toName), ...(mask && { mask }) };
      const results = await callApi("batchGet", { name: root, body }, batchGetSchema, options);
      const found = new Map(results.map((result) => [result.found?.path, result.found]));
      const documents = paths.map((path) => found.get(path) ?? null);
      const [{ readTime }] = results;
      return { documents, readTime };
    },

    async query(path, query, options) {
      const end = toName(path).lastIndexOf("/");
      const name = toName(path).slice(0, end);
      const collectionId = toName(path).slice(end + 1);
      const body = { structuredQuery: toStructuredQuery(collectionId, query, toName) };
      const results = await callApi("runQuery", { name, body }, querySchema, options);
      return results.flatMap(({ document }) => document ?? []);
    },

    async commit(writes, options) {
      const body = { writes: writes.map((write) => toRestWrite(write, toName)) };
      const result = await callApi("commit", { name: root, body }, commitSchema, options);
      return {
        writes: writes.map((write, index) => {
          const { updateTime, transformResults = [] } = result.writeResults[index] ?? {};
          const names = "delete" in write ? [] : (write.serverTimestamps ?? []);
          const times = names.map((name, position) => [name, transformResults[position]]);
          return { updateTime, serverTimestamps: Object.fromEntries(times) };
        }),
      };
    },
  };
}

/**
 * A time of Firestore. A `Date` would drop its microseconds, and so compare two times of one millisecond as equal.
 *
 * @see https://firebase.google.com/docs/firestore/manage-data/data-types
 */
export class PreciseDate extends Date {
  /** Milliseconds since the Unix epoch, with microseconds as a fraction. Such numbers are exact. */
  readonly time: number;

  constructor(time: number) {
    super(Math.floor(time));
    this.time = time;
  }

  /** @param text in Firestore's own format, which has up to nine decimals. Firestore sets only six. */
  static fromTimestamp(text: string): PreciseDate {
    const [, microseconds = ""] = /\.\d{3}(\d{1,3})/.exec(text) ?? [];
    return new PreciseDate(Date.parse(text) + Number(microseconds.padEnd(3, "0")) / 1000);
  }

  /** Returns the time in Firestore's own format. */
  override toISOString(): string {
    const microseconds = Math.round((this.time - this.getTime()) * 1000);
    return super.toISOString().replace("Z", `${String(microseconds).padStart(3, "0")}Z`);
  }
}

/**
 * Returns the part of an error to log. The stack of a failed connection does not help, and would fill the log during an
 * outage.
 */
function toLoggedError(error: Error): unknown {
  if (!(error instanceof UnavailableError)) return error;
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Whether the caller handles an error, so that it is not logged: a rejected commit or a missing document. */
function isExpected(method: string, error: Error): boolean {
  if (method === "commit") return error instanceof FirestoreError;
  return method === "get" && isNotFound(error);
}

function isNotFound(error: unknown): boolean {
  return error instanceof FirestoreError && error.code === "NOT_FOUND";
}

function getOrigin({ FIRESTORE_EMULATOR_HOST: emulator }: Env): string {
  return emulator ? `http://${emulator}` : "https://firestore.googleapis.com";
}

/** @throws {FirestoreError | UnavailableError} the error in Firestore's response; or the error of `fetch` */
async function fetchJson(
  method: string,
  url: string,
  init: Parameters<typeof fetchRecorded>[2],
): Promise<unknown> {
  const { ok, status, text } = await fetchRecorded({ service: "firestore", method }, url, init);
  const body: unknown = ok ? JSON.parse(text) : parseJson(text);
  const error = findFirestoreError(status, body);
  if (error) throw error;
  return body;
}

const OPERATORS = {
  "==": "EQUAL",
  "<": "LESS_THAN",
  "<=": "LESS_THAN_OR_EQUAL",
  ">": "GREATER_THAN",
  ">=": "GREATER_THAN_OR_EQUAL",
  in: "IN",
  "array-contains": "ARRAY_CONTAINS",
} as const;

/**
 * Converts a query for Firestore's REST API.
 *
 * @param toName returns the full name of the document at a path
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
 */
function toStructuredQuery(
  collectionId: string,
  { where = [], orderBy, startAfter, limit, fields, isKeysOnly = false }: QueryOptions,
  toName: (path: string) => string,
) {
  const [orderField, direction = "asc"] = orderBy ?? ["__name__"];
  const selected = isKeysOnly ? ["__name__"] : fields;
  const isCursorOrdered = startAfter !== undefined && typeof startAfter !== "string";
  const toOrder = (field: string) => ({
    field: { fieldPath: field },
    direction: direction === "asc" ? "ASCENDING" : "DESCENDING",
  });
  const filters = where.map(([field, operator, value]) => ({
    fieldFilter: {
      field: { fieldPath: field },
      op: OPERATORS[operator],
      value: convertToFirestoreValue(value),
    },
  }));
  return {
    from: [{ collectionId }],
    ...(selected && { select: { fields: selected.map((fieldPath) => ({ fieldPath })) } }),
    ...(filters.length === 1 && { where: filters[0] }),
    ...(filters.length > 1 && { where: { compositeFilter: { op: "AND", filters } } }),
    // A cursor may have only values that the query is ordered by.
    orderBy: [toOrder(orderField), ...(isCursorOrdered ? [toOrder("__name__")] : [])],
    ...(startAfter !== undefined && {
      startAt: { values: toCursorValues(startAfter, toName), before: false },
    }),
    limit,
  };
}

function toCursorValues(
  startAfter: NonNullable<QueryOptions["startAfter"]>,
  toName: (path: string) => string,
) {
  if (typeof startAfter === "string") return [{ referenceValue: toName(startAfter) }];
  const [value, path] = startAfter;
  return [convertToFirestoreValue(value), { referenceValue: toName(path) }];
}

/**
 * Converts a write for Firestore's REST API.
 *
 * @param toName returns the full name of the document at a path
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/Write
 */
function toRestWrite(write: Write, toName: (path: string) => string) {
  const name = toName(write.path);
  const precondition = toPrecondition(write);
  if ("delete" in write) return { delete: name, ...precondition };
  const { fields, serverTimestamps = [], increments = {} } = write;
  return {
    update: { name, ...convertToFirestoreDocument(fields) },
    updateMask: { fieldPaths: Object.keys(fields) },
    // The results come in the same order: the timestamps first.
    updateTransforms: [
      ...serverTimestamps.map((fieldPath) => ({ fieldPath, setToServerValue: "REQUEST_TIME" })),
      ...Object.entries(increments).map(([fieldPath, value]) => ({
        fieldPath,
        increment: convertToFirestoreValue(value),
      })),
    ],
    ...precondition,
  };
}

/**
 * Returns the precondition of a write. Firestore accepts only one. A document with an update time exists, so
 * `updateTime` covers both.
 */
function toPrecondition({ exists, updateTime }: Write) {
  if (updateTime !== undefined) return { currentDocument: { updateTime } };
  return exists === undefined ? {} : { currentDocument: { exists } };
}

/**
 * Returns the path of a document or collection unchanged. Routes validate their input; this check protects the database
 * where a route forgets to.
 *
 * @throws {TypeError} unless every part of the path is an id
 */
function requirePath(path: string): string {
  if (!path.split("/").every(isDocumentId)) {
    throw new TypeError(`${JSON.stringify(path)} is not a database path`);
  }
  return path;
}
