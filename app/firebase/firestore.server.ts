import type * as z from "zod";

import type { Env } from "#app/env.server.ts";
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
 * Returns Firestore as a user, so that `firestore.rules` judge every request.
 *
 * `firebase-rest-firestore` converts the values. The requests are made here, because the library only knows service
 * accounts, cannot abort, reads and writes one document a request, and answers errors without their code.
 *
 * @param user `null` for requests that anyone may make
 * @see https://firebase.google.com/docs/firestore/reference/rest
 */
export function asUser(env: Env, user: FirestoreUser): Firestore {
  const root = `projects/${env.FIREBASE_PROJECT_ID}/databases/(default)/documents`;
  const toName = (path: string) => `${root}/${requirePath(path)}`;

  /** @param request without a body for a document, which is read with GET */
  async function call<T>(
    method: "get" | "batchGet" | "runQuery" | "commit",
    request: { name: string; body?: object },
    schema: z.ZodType<T>,
    { signal, timeoutMs = TIMEOUT_MS, isLogged = true }: CallOptions = {},
  ): Promise<T> {
    if (user?.idToken === null) {
      throw new UnavailableError("The ID token has expired and cannot be renewed now");
    }
    const timeout = AbortSignal.timeout(timeoutMs);
    const { name, body } = request;
    const url = `${getOrigin(env)}/v1/${name}${body ? `:${method}` : ""}`;
    try {
      const answer = await fetchJson(url, {
        method: body ? "POST" : "GET",
        headers: {
          "Content-Type": "application/json",
          ...(user && { Authorization: `Bearer ${user.idToken}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return schema.parse(answer);
    } catch (cause) {
      signal?.throwIfAborted();
      const isAnswer = cause instanceof FirestoreError || cause instanceof UnavailableError;
      const error = isAnswer ? cause : new UnavailableError("Firestore did not answer", { cause });
      if (isLogged && !isExpected(method, error)) {
        // oxlint-disable-next-line no-console -- this is the server's log
        console.error(`Firestore could not ${method}.`, error);
      }
      throw error;
    }
  }

  return {
    async get(path, options) {
      try {
        return await call("get", { name: toName(path) }, documentSchema, options);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },

    async batchGet(paths, options) {
      const body = { documents: paths.map(toName) };
      const answers = await call("batchGet", { name: root, body }, batchGetSchema, options);
      const found = new Map(answers.map((answer) => [answer.found?.path, answer.found]));
      const documents = paths.map((path) => found.get(path) ?? null);
      const [{ readTime }] = answers;
      return { documents, readTime };
    },

    async query(path, query, options) {
      const end = toName(path).lastIndexOf("/");
      const name = toName(path).slice(0, end);
      const collectionId = toName(path).slice(end + 1);
      const body = { structuredQuery: toStructuredQuery(collectionId, query, toName) };
      const answers = await call("runQuery", { name, body }, querySchema, options);
      return answers.flatMap(({ document }) => document ?? []);
    },

    async commit(writes, options) {
      const body = { writes: writes.map((write) => toRestWrite(write, toName)) };
      const result = await call("commit", { name: root, body }, commitSchema, options);
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

/** Whether the caller answers for an error, so that it is not logged: a refused commit, or a document that is missing. */
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

/** @throws {FirestoreError | UnavailableError} what Firestore answers, or what `fetch` throws */
async function fetchJson(url: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(url, request);
  const text = await response.text();
  const body: unknown = response.ok ? JSON.parse(text) : parseJson(text);
  const error = findFirestoreError(response.status, body);
  if (error) throw error;
  return body;
}

/** A proxy may answer an error with a page of its own. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
