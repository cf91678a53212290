import type * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { CallRefusedError, fetchRecorded } from "#app/http/outgoing-calls.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { requirePath } from "./document-path.server.ts";
import { findFirestoreError, FirestoreError } from "./firestore-error.server.ts";
import {
  batchGetSchema,
  commitSchema,
  documentSchema,
  querySchema,
  toRestWrite,
  toStructuredQuery,
} from "./firestore-rest.server.ts";
import type { CallOptions, Firestore, FirestoreUser } from "./firestore-types.ts";

const TIMEOUT_MS = 30_000;

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
      const error = isOwn ? cause : new UnavailableError("Firestore did not answer", { cause });
      if (isLogged && !isExpected(method, error) && !(cause instanceof CallRefusedError)) {
        // oxlint-disable-next-line no-console -- the server's log
        console.error(`Firestore could not ${method}.`, describe(error));
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
      const body = { documents: paths.map(toName) };
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
        commitTime: result.commitTime,
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
 * Returns what to log of an error. The stack of a failed connection does not help, and in an outage would fill the log.
 */
function describe(error: Error): unknown {
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

/** Returns `undefined` for text that is not JSON, such as the error page of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
