import * as z from "zod";

import { createInvalidRequestError } from "./errors.ts";
import type { Query } from "./query.ts";

const UNSUPPORTED = ["startAfter", "endBefore"];

/** Converts the value of each REST parameter to fields of the protocol's query. */
const FIELDS: Record<string, (value: Bound) => Query> = {
  startAt: (value) => ({ sp: value, sin: true }),
  endAt: (value) => ({ ep: value, ein: true }),
  equalTo: (value) => ({ sp: value, ep: value, sin: true, ein: true }),
  limitToFirst: (value) => ({ l: readLimit(value), vf: "l" }),
  limitToLast: (value) => ({ l: readLimit(value), vf: "r" }),
};

const boundSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Bound = z.infer<typeof boundSchema>;

/**
 * Reads the query of a URL, whose values are JSON.
 *
 * @see https://firebase.google.com/docs/database/rest/retrieve-data#section-rest-filtering
 * @throws DatabaseError for invalid values, filters without `orderBy`, and the parameters that are not supported
 */
export function readQuery({ searchParams }: URL): Query {
  const unsupported = UNSUPPORTED.find((name) => searchParams.has(name));
  if (unsupported) throw createInvalidRequestError(`${unsupported} is not supported here.`);
  const filters = Object.keys(FIELDS).filter((name) => searchParams.has(name));
  const orderBy = readBound(searchParams, "orderBy");
  if (orderBy === undefined) {
    if (filters.length === 0) return {};
    throw createInvalidRequestError(
      "orderBy must be defined when other query parameters are defined",
    );
  }
  if (typeof orderBy !== "string")
    throw createInvalidRequestError("orderBy must be a valid JSON encoded path");
  const query: Query = { i: orderBy.replace(/^\$(?=(?:key|value|priority)$)/, ".") };
  for (const name of filters)
    Object.assign(query, FIELDS[name]?.(readBound(searchParams, name) ?? null));
  return query;
}

function readBound(searchParams: URLSearchParams, name: string): Bound | undefined {
  const text = searchParams.get(name);
  if (text === null) return undefined;
  try {
    return boundSchema.parse(JSON.parse(text));
  } catch {
    throw createInvalidRequestError(`${name} must be a valid JSON encoded value`);
  }
}

function readLimit(value: Bound): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  throw createInvalidRequestError("A limit must be a positive integer");
}
