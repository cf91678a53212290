import * as z from "zod";

import { MAX_READ_MS } from "./constants.ts";
import { createInvalidRequestError } from "./errors.ts";
import { parsePath } from "./path.ts";
import type { Query } from "./query.ts";

const UNITS_MS: ReadonlyMap<string | undefined, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["min", 60_000],
]);

const timeoutSchema = z
  .string()
  .transform((text) => {
    const [, number, unit] = /^(\d{1,9})(ms|s|min)$/.exec(text) ?? [];
    return Number(number) * (UNITS_MS.get(unit) ?? NaN);
  })
  .refine((ms) => ms > 0 && ms <= MAX_READ_MS, "Expected a time like 3ms, 3s or 3min, up to 15min");

const flagSchema = z.enum(["true", "false"]).transform((text) => text === "true");

/** Every parameter of data requests. Values of queries are JSON. */
const parametersSchema = z
  .strictObject(
    {
      ns: z.string(),
      auth: z.string(),
      access_token: z.string(),
      auth_variable_override: z.string(),
      /** An App Check token, which has no effect here. */
      ac: z.string(),
      "x-http-method-override": z.string(),
      print: z.enum(["pretty", "silent"]),
      format: z.literal("export"),
      shallow: flagSchema,
      download: z.string(),
      /** Only a name, because it becomes part of a script. */
      callback: z
        .string()
        .max(128)
        .regex(/^[a-z_$][\w$]*(?:\.[a-z_$][\w$]*)*$/i, "Expected the name of a function"),
      timeout: timeoutSchema,
      writeSizeLimit: z.enum(["tiny", "small", "medium", "large", "unlimited"]),
      /** There are no triggers here. */
      disableTriggers: flagSchema,
      orderBy: z.string(),
      startAt: z.string(),
      startAfter: z.string(),
      endAt: z.string(),
      endBefore: z.string(),
      equalTo: z.string(),
      limitToFirst: z.string(),
      limitToLast: z.string(),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `Unknown parameter: ${issue.keys.join(", ")}`
          : undefined,
    },
  )
  .partial();

/** The parameters of a data request. The timeout is in milliseconds. */
export type RestParameters = z.output<typeof parametersSchema>;

/**
 * Reads the parameters of a URL.
 *
 * Unlike Firebase, rejects those that it does not know.
 *
 * @see https://firebase.google.com/docs/reference/rest/database#section-query-parameters
 * @throws DatabaseError
 */
export function readParameters({ searchParams }: URL): RestParameters {
  const result = parametersSchema.safeParse(Object.fromEntries(searchParams));
  if (result.success) return result.data;
  const messages = result.error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw createInvalidRequestError(messages.join("; "));
}

const boundSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Bound = z.infer<typeof boundSchema>;

/** Converts a value and an optional key to fields of the protocol's query. */
const FIELDS = {
  startAt: (value, key) => ({ sp: value, sn: key, sin: true }),
  startAfter: (value, key) => ({ sp: value, sn: key, sin: false }),
  endAt: (value, key) => ({ ep: value, en: key, ein: true }),
  endBefore: (value, key) => ({ ep: value, en: key, ein: false }),
  equalTo: (value, key) => ({ sp: value, sn: key, sin: true, ep: value, en: key, ein: true }),
  limitToFirst: (value) => ({ l: readLimit(value), vf: "l" }),
  limitToLast: (value) => ({ l: readLimit(value), vf: "r" }),
} satisfies Partial<Record<keyof RestParameters, (value: Bound, key?: string) => Query>>;

/**
 * Reads the query of the parameters. Its values are JSON; a key may follow a bound, after a comma.
 *
 * @see https://firebase.google.com/docs/database/rest/retrieve-data#section-rest-filtering
 * @throws DatabaseError for invalid values, filters without `orderBy`, and filters that exclude each other
 */
export function readQuery(parameters: RestParameters): Query {
  const { shallow = false, orderBy = shallow ? '"$key"' : undefined } = parameters;
  const query: Query = {};
  for (const [name, toFields] of Object.entries(FIELDS)) {
    const text = parameters[name as keyof typeof FIELDS];
    if (text === undefined) continue;
    const fields = toFields(...readBound(name, text));
    if (Object.keys(fields).some((field) => field in query))
      throw createInvalidRequestError(`${name} cannot be combined with another filter of its kind`);
    Object.assign(query, fields);
  }
  if (orderBy === undefined) {
    if (Object.keys(query).length === 0) return {};
    throw createInvalidRequestError(
      "orderBy must be defined when other query parameters are defined",
    );
  }
  return { i: readIndex(orderBy), ...query };
}

function readIndex(text: string): string {
  const [index] = readBound("orderBy", text);
  if (typeof index !== "string" || index === "")
    throw createInvalidRequestError("orderBy must be a valid JSON encoded path");
  if (/^\$(?:key|value|priority)$/.test(index)) return index.replace("$", ".");
  return parsePath(index).join("/");
}

function readBound(name: string, text: string): [value: Bound, key?: string] {
  try {
    return z
      .union([z.tuple([boundSchema]), z.tuple([boundSchema, z.string()])])
      .parse(JSON.parse(`[${text}]`));
  } catch {
    throw createInvalidRequestError(`${name} must be a valid JSON encoded value`);
  }
}

function readLimit(value: Bound): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  throw createInvalidRequestError("A limit must be a positive integer");
}
