import {
  convertFromFirestoreValue,
  convertToFirestoreDocument,
  convertToFirestoreValue,
} from "firebase-rest-firestore";
import * as z from "zod";

import type { DocumentSnapshot, QueryOptions, Write } from "./firestore-types.ts";

type RestValue = Parameters<typeof convertFromFirestoreValue>[0];

/** One value, such as `{ stringValue: "x" }`. Times become `Date`. */
const valueSchema = z
  .custom<RestValue>((value) => typeof value === "object" && value !== null)
  .transform((value): unknown => convertFromFirestoreValue(value));

export const documentSchema = z
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
export const batchGetSchema = z.tuple([foundSchema], foundSchema);

export const querySchema = z.array(z.object({ document: documentSchema.optional() }));

export const commitSchema = z.object({
  commitTime: z.coerce.date(),
  writeResults: z
    .array(
      z.object({
        updateTime: z.string().optional(),
        transformResults: z.array(valueSchema).default([]),
      }),
    )
    .default([]),
});

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
export function toStructuredQuery(
  collectionId: string,
  { where = [], orderBy, startAfter, limit, fields, isKeysOnly = false }: QueryOptions,
  toName: (path: string) => string,
) {
  const [orderField, direction = "asc"] = orderBy ?? ["__name__"];
  const selected = isKeysOnly ? ["__name__"] : fields;
  const isCursorOrdered = startAfter !== undefined && typeof startAfter !== "string";
  const order = (field: string) => ({
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
    orderBy: [order(orderField), ...(isCursorOrdered ? [order("__name__")] : [])],
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
export function toRestWrite(write: Write, toName: (path: string) => string) {
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

/** Firestore accepts one precondition per write. A document with an update time exists, so `updateTime` covers both. */
function toPrecondition({ exists, updateTime }: Write) {
  if (updateTime !== undefined) return { currentDocument: { updateTime } };
  return exists === undefined ? {} : { currentDocument: { exists } };
}
