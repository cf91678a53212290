import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/cloudflare";
import type * as z from "zod";

/** Far more than most forms need. Limits the memory that a request can use. */
export const MAX_FORM_BYTES = 64 * 1024;

/** More than any form has. */
const MAX_FIELDS = 64;

/** A boundary has up to 70 of these characters. @see https://datatracker.ietf.org/doc/html/rfc2046#section-5.1.1 */
const BOUNDARY = /;\s*boundary="?([\w'()+,./:=?-]{1,70})/i;

/**
 * A posted form that contains only the fields it was read for. Each is a string, and occurs at most once. Its line breaks are
 * LF, as in scripts; browsers submit CRLF.
 */
export interface Form<Name extends string> extends FormData {
  get(name: Name): string | null;
  has(name: Name): boolean;
}

/**
 * Reads the fields with these names from a posted form. Ignores other fields, files, and all but the first value of a
 * repeated field.
 *
 * @param maxBytes of the whole body
 * @throws a response: 415 when the body is not a form, 413 when it is too large, 400 when it is malformed or has too many
 *   fields
 */
export async function readForm<Name extends string>(
  request: Request,
  names: readonly Name[],
  maxBytes = MAX_FORM_BYTES,
): Promise<Form<Name>> {
  const form = await readFormWithin(request, names, maxBytes);
  if (!form) throw createErrorResponse(413, "This is too long. Go back and shorten it.");
  return form;
}

/**
 * Reads a form as `readForm` does, or returns `null` when it is too large, for pages with their own message.
 *
 * @param maxBytes of the whole body
 * @throws a response: 415 when the body is not a form, 400 when it is malformed or has too many fields
 */
export async function readFormWithin<Name extends string>(
  request: Request,
  names: readonly Name[],
  maxBytes: number,
): Promise<Form<Name> | null> {
  const form = await parseBody(request, maxBytes);
  return form && pick(form, names);
}

/**
 * Reads a form with files. Keep no more of them than needed: a request may use some 100 MB of memory.
 *
 * @param maxBytes of the whole body
 * @returns `null` when it is too large. A file is missing if none was chosen
 * @throws a response, as `readForm` does
 */
export async function readFileForm<Name extends string, FileName extends string>(
  request: Request,
  names: readonly Name[],
  fileNames: readonly FileName[],
  maxBytes: number,
): Promise<{ form: Form<Name>; files: Partial<Record<FileName, Blob>> } | null> {
  const form = await parseBody(request, maxBytes);
  if (!form) return null;
  const files: Partial<Record<FileName, Blob>> = {};
  for (const name of fileNames) {
    const file = form.get(name);
    // Browsers send an empty file if none was chosen.
    if (file instanceof Blob && file.size > 0) files[name] = file;
  }
  return { form: pick(form, names), files };
}

/** Parses a form; `null` when it is too large. @throws a response */
async function parseBody(request: Request, maxBytes: number): Promise<FormData | null> {
  const contentType = request.headers.get("Content-Type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType)) {
    throw createErrorResponse(415, "This address only accepts forms.");
  }

  const body = await readAtMost(request, maxBytes);
  if (!body) return null;
  const { type, delimiter } = readType(contentType);
  // Counts delimiters before parsing, because a parser would build every field first.
  if (hasTooMany(body, new TextEncoder().encode(delimiter))) {
    throw createErrorResponse(
      400,
      "The form has too many fields. Go back, reload the page and send it again.",
    );
  }

  const headers = { "Content-Type": type };
  return new Response(body, { headers }).formData().catch(() => {
    throw createMalformedFormError();
  });
}

/** Returns the names of a schema's fields, for `readForm`. */
export function getFieldNames<Shape extends z.core.$ZodShape>(schema: z.ZodObject<Shape>) {
  return schema.keyof().options;
}

/** Validates only the fields of the schema, so that the result cannot contain any other. */
export function parseForm<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  return parseWithZod(pick(form, Object.keys(schema.shape)), { schema });
}

/** Returns a form with these fields. */
export function toForm<Name extends string>(
  fields: readonly (readonly [Name, string])[],
): Form<Name> {
  const form = new FormData();
  for (const [name, text] of fields) form.set(name, text);
  return form as Form<Name>; // contains only these strings
}

/** Returns a request with the form as its body, for libraries that read the body themselves. */
export function withForm({ url }: Request, form: FormData): Request {
  return new Request(url, { method: "POST", body: form });
}

/** Looks up each name instead of iterating over the fields, whose names may be crafted to make that expensive. */
function pick<Name extends string>(form: FormData, names: readonly Name[]): Form<Name> {
  return toForm(
    names.flatMap((name) => {
      const text = form.getAll(name).find((value) => typeof value === "string");
      return text === undefined ? [] : [[name, text.replaceAll(/\r\n?/g, "\n")] as const];
    }),
  );
}

/** Returns the body, or `null` when it is longer than `limit` bytes. Does not trust `Content-Length`. */
async function readAtMost(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.byteLength;
    if (length > limit) {
      // Not awaited: after `tee` it would wait for the other branch, which is never read.
      reader?.cancel().catch(() => {});
      return null;
    }
    chunks.push(next.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Returns what separates two fields, and the type with which a parser separates them there and nowhere else. */
function readType(contentType: string): { type: string; delimiter: string } {
  if (!contentType.toLowerCase().startsWith("multipart/"))
    return { type: "application/x-www-form-urlencoded", delimiter: "&" };
  const [, boundary] = BOUNDARY.exec(contentType) ?? [];
  if (boundary === undefined) throw createMalformedFormError();
  return { type: `multipart/form-data; boundary="${boundary}"`, delimiter: `\n--${boundary}` };
}

/** Whether a delimiter occurs more than 64 times. Linear, because the first byte occurs only once in a delimiter. */
function hasTooMany(body: Uint8Array, delimiter: Uint8Array): boolean {
  const [first = 0] = delimiter;
  let count = 0;
  for (
    let at = body.indexOf(first);
    at >= 0 && count <= MAX_FIELDS;
    at = body.indexOf(first, at + 1)
  ) {
    if (delimiter.every((byte, index) => body[at + index] === byte)) count += 1;
  }
  return count > MAX_FIELDS;
}

function createMalformedFormError() {
  return createErrorResponse(400, "The form didn't arrive in full. Go back and send it again.");
}

function createErrorResponse(status: number, message: string) {
  return data({ message }, { status });
}
