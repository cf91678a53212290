import { createFirestoreClient, type FirestoreClient } from "firebase-rest-firestore";
import type * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { requirePath } from "./document-path.server.ts";
import { findFirestoreError, FirestoreError } from "./firestore-error.server.ts";
import {
  batchGetSchema,
  commitSchema,
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

  async function call<T>(
    resource: string,
    method: "batchGet" | "runQuery" | "commit",
    body: object,
    schema: z.ZodType<T>,
    { signal, timeoutMs = TIMEOUT_MS }: CallOptions = {},
  ): Promise<T> {
    if (user?.idToken === null) {
      throw new UnavailableError("The ID token has expired and cannot be renewed now");
    }
    const timeout = AbortSignal.timeout(timeoutMs);
    const url = `${getOrigin(env)}/v1/${resource}:${method}`;
    const request = {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(user && { Authorization: `Bearer ${user.idToken}` }),
      },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    try {
      return schema.parse(await fetchJson(url, request));
    } catch (cause) {
      signal?.throwIfAborted();
      const isAnswer = cause instanceof FirestoreError || cause instanceof UnavailableError;
      const error = isAnswer ? cause : new UnavailableError("No answer of Firestore", { cause });
      // The caller of a commit answers for a refusal; nothing that is read should be refused.
      if (method !== "commit" || error instanceof UnavailableError) {
        // oxlint-disable-next-line no-console -- this is the server's log
        console.error(`Firestore could not ${method}.`, error);
      }
      throw error;
    }
  }

  async function batchGet(paths: readonly string[], options?: CallOptions) {
    const body = { documents: paths.map(toName) };
    const answers = await call(root, "batchGet", body, batchGetSchema, options);
    const found = new Map(answers.map((answer) => [answer.found?.path, answer.found]));
    const documents = paths.map((path) => found.get(path) ?? null);
    const [{ readTime }] = answers;
    return { documents, readTime };
  }

  return {
    async get(path, options) {
      const { documents } = await batchGet([path], options);
      return documents[0] ?? null;
    },

    batchGet,

    async query(path, query, options) {
      const end = toName(path).lastIndexOf("/");
      const parent = toName(path).slice(0, end);
      const structuredQuery = toStructuredQuery(toName(path).slice(end + 1), query, toName);
      const answers = await call(parent, "runQuery", { structuredQuery }, querySchema, options);
      return answers.flatMap(({ document }) => document ?? []);
    },

    async commit(writes, options) {
      const body = { writes: writes.map((write) => toRestWrite(write, toName)) };
      const result = await call(root, "commit", body, commitSchema, options);
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

/**
 * Returns a Firestore client that acts as the owner of `idToken`, or as a visitor without one, so that
 * `firestore.rules` judge whatever it does. Make one per request.
 *
 * The library only knows service accounts and emulators without any header, and puts paths into addresses as they are.
 * The one method through which its requests get their headers is replaced, and those that take a path are guarded;
 * nothing else in the app knows.
 */
export function createFirestoreAs(env: Env, idToken: string | null): FirestoreClient {
  const emulator = env.FIRESTORE_EMULATOR_HOST && new URL(`http://${env.FIRESTORE_EMULATOR_HOST}`);
  const client = createFirestoreClient({
    projectId: env.FIREBASE_PROJECT_ID,
    // The library insists on a service account, whose token is then never asked for.
    clientEmail: "unused",
    privateKey: "unused",
    ...(emulator && {
      useEmulator: true,
      emulatorHost: emulator.hostname,
      emulatorPort: Number(emulator.port),
    }),
  });

  const headers = {
    "Content-Type": "application/json",
    ...(idToken && { Authorization: `Bearer ${idToken}` }),
  };
  const get = client.get.bind(client);
  const query = client.query.bind(client);
  const createWithId = client.createWithId.bind(client);
  const guarded: Pick<FirestoreClient, "get" | "query" | "createWithId"> = {
    get: async (collection, id) => get(...requireDocument(collection, id)),
    query: async (collection, ...more) => query(requirePath(collection), ...more),
    createWithId: async (collection, id, data) =>
      createWithId(...requireDocument(collection, id), data),
  };
  Object.assign(client, { prepareHeaders: () => Promise.resolve(headers), ...guarded });
  return client;
}

function requireDocument(collection: string, id: string): [string, string] {
  requirePath(`${collection}/${id}`);
  return [collection, id];
}
