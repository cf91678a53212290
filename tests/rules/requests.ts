import { convertToFirestoreDocument } from "firebase-rest-firestore";

import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestAccount, TestFirebase } from "#tests/support/firebase.ts";

const DOCUMENTS = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;

/** Somebody, or a visitor. */
export type Person = Pick<TestAccount, "localId" | "idToken"> | null;

export type Fields = Record<string, string | number | Date | string[] | null>;

/** A change of one document, whose path is below the database's root. Without fields it is a deletion. */
export interface Change {
  path: string;
  fields?: Fields;
  /** Fields that the database sets to the time of the change. */
  times?: string[];
}

/** Asks for a document as somebody, or as a visitor, and returns the status. */
export function call(
  firebase: TestFirebase,
  person: Person,
  method: "GET" | "PATCH" | "DELETE",
  path: string,
  fields?: Fields,
): Promise<number> {
  const body = fields && convertToFirestoreDocument(fields);
  return send(firebase, person, method, `/${path}`, body);
}

/** Sends changes as one, and returns the status. */
export function commit(
  firebase: TestFirebase,
  person: Person,
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
  return send(firebase, person, "POST", ":commit", { writes });
}

async function send(
  { hosts }: TestFirebase,
  person: Person,
  method: string,
  resource: string,
  body?: object,
): Promise<number> {
  const url = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${DOCUMENTS}${resource}`;
  const response = await fetch(url, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(person && { Authorization: `Bearer ${person.idToken}` }),
    },
    body: body && JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}
