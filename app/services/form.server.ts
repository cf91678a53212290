import { data } from "@remix-run/cloudflare";

/** Far more than other forms of ours need, so that nobody can make us hold more. */
const MAX_FORM_BYTES = 64 * 1024;

/**
 * Reads a posted form.
 *
 * @param maxBytes of the whole body
 * @throws a response: 415 when the body is no form, 413 when it is too large, 400 when it is malformed
 */
export async function readForm(request: Request, maxBytes = MAX_FORM_BYTES): Promise<FormData> {
  const form = await readFormWithin(request, maxBytes);
  if (!form) throw refuse(413, "This is more than the form can take. Go back and send less.");
  return form;
}

/**
 * Reads a posted form, or returns `null` when it is too large, for a page that explains it in its own words.
 *
 * @param maxBytes of the whole body
 * @throws a response: 415 when the body is no form, 400 when it is malformed
 */
export async function readFormWithin(request: Request, maxBytes: number): Promise<FormData | null> {
  const contentType = request.headers.get("Content-Type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType)) {
    throw refuse(415, "This address takes forms only.");
  }

  const body = await readAtMost(request, maxBytes);
  if (!body) return null;

  try {
    return await new Response(body, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw refuse(400, "The form arrived damaged. Go back and send it again.");
  }
}

/** Returns the body, or `null` when it is longer than `limit` bytes, whatever its headers claim. */
async function readAtMost(request: Request, limit: number): Promise<Blob | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = request.clone().body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.byteLength;
    if (length > limit) {
      // Not awaited: the clone's cancellation would wait for the original's, which is never read.
      void reader?.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  return new Blob(chunks);
}

function refuse(status: number, message: string) {
  return data({ message }, { status });
}
