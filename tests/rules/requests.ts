import { convertFromFirestoreDocument, convertToFirestoreDocument } from "firebase-rest-firestore";

import {
  RATE_LIMITS,
  rateRecordSchema,
  getRateRecordsPath,
  type RateKind,
} from "#app/session/rate-record.server.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestAccount, TestFirebase } from "#tests/support/firebase.ts";

const DOCUMENTS = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;

/** A user, or `null` for a visitor. */
export type TestUser = Pick<TestAccount, "localId" | "idToken"> | null;

export type Fields = Record<
  string,
  | string
  | number
  | boolean
  | Date
  | (string | number | null | Record<string, string>)[]
  | object
  | null
>;

/** A write of a document at a path relative to the root. Without `fields`, it deletes the document. */
export interface Change {
  path: string;
  fields?: Fields;
  /** Fields that the database sets to the time of the commit. */
  times?: string[];
}

/** Makes a request for one document, and returns the HTTP status. */
export function call(
  firebase: TestFirebase,
  user: TestUser,
  method: "GET" | "PATCH" | "DELETE",
  path: string,
  fields?: Fields,
): Promise<number> {
  const body = fields && convertToFirestoreDocument(fields);
  return send(firebase, user, method, `/${path}`, body);
}

export interface List {
  /** The path of the collection. */
  path: string;
  /** Only documents whose field `uid` has this value. */
  uid?: string;
  limit?: number;
  offset?: number;
}

/** Lists a collection, or counts its documents, and returns the HTTP status. */
export function list(
  firebase: TestFirebase,
  user: TestUser,
  { path, uid, limit, offset }: List,
  { isCount = false } = {},
): Promise<number> {
  const end = path.lastIndexOf("/");
  const filter = { field: { fieldPath: "uid" }, op: "EQUAL", value: { stringValue: uid } };
  const structuredQuery = {
    from: [{ collectionId: path.slice(end + 1) }],
    ...(uid !== undefined && { where: { fieldFilter: filter } }),
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  };
  const parent = end < 0 ? "" : `/${path.slice(0, end)}`;
  if (!isCount) return send(firebase, user, "POST", `${parent}:runQuery`, { structuredQuery });
  const aggregations = [{ alias: "count", count: {} }];
  const body = { structuredAggregationQuery: { structuredQuery, aggregations } };
  return send(firebase, user, "POST", `${parent}:runAggregationQuery`, body);
}

/** Makes all changes in one commit, and returns the HTTP status. */
export function commit(
  firebase: TestFirebase,
  user: TestUser,
  ...changes: Change[]
): Promise<number> {
  const writes = changes.map(({ path, fields, times = [] }) => {
    const name = `${DOCUMENTS}/${path}`;
    if (!fields) return { delete: name };
    return {
      update: { name, ...convertToFirestoreDocument(fields) },
      updateMask: { fieldPaths: Object.keys(fields) },
      updateTransforms: times.map((fieldPath) => ({
        fieldPath,
        setToServerValue: "REQUEST_TIME",
      })),
    };
  });
  return send(firebase, user, "POST", ":commit", { writes });
}

/** Returns the rate record that must be in the same commit as a message or publication. */
export async function createRecord(
  { hosts }: TestFirebase,
  { localId }: Pick<TestAccount, "localId">,
  kind: RateKind,
  id: string,
): Promise<Required<Change>> {
  const path = `${getRateRecordsPath(localId)}/${kind}`;
  const url = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${DOCUMENTS}/${path}`;
  const response = await fetch(url, { headers: { Authorization: "Bearer owner" } });
  const stored = response.ok
    ? rateRecordSchema.parse(convertFromFirestoreDocument(await response.json()))
    : null;
  const maxCount = Math.max(...RATE_LIMITS[kind].map(({ count }) => count));
  const earlier = stored ? [...stored.earlier, stored.at.getTime()].slice(-maxCount) : [];
  return { path, fields: { id, earlier }, times: ["at"] };
}

async function send(
  { hosts }: TestFirebase,
  user: TestUser,
  method: string,
  resource: string,
  body?: object,
): Promise<number> {
  const url = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${DOCUMENTS}${resource}`;
  const response = await fetch(url, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(user && { Authorization: `Bearer ${user.idToken}` }),
    },
    body: body && JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}
