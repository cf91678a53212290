import * as z from "zod";

const requestSchema = z.object({
  method: z.string(),
  route: z.string().nullable(),
  status: z.int(),
  ms: z.number(),
  cached: z.boolean(),
  background: z.boolean().default(false),
  calls: z.array(
    z.object({
      service: z.string(),
      method: z.string(),
      ms: z.number(),
      isSkipped: z.boolean().default(false),
    }),
  ),
});

/** Describes a request that the app has logged as JSON. Returns `undefined` for any other line. */
export function describeRequest(line: string): string | undefined {
  if (!line.startsWith('{"id":')) return undefined;
  const request = requestSchema.safeParse(parseJson(line)).data;
  if (!request) return undefined;
  const { method, route, status, ms, cached, background, calls } = request;
  const parts = calls.map((call) => {
    const result = call.isSkipped ? "skipped" : `${call.ms} ms`;
    return `${call.service} ${call.method} ${result}`;
  });
  if (background) parts.unshift("after the response");
  if (cached) parts.unshift("cached");
  const details = parts.length > 0 ? ` (${parts.join(", ")})` : "";
  return `${status} ${method} ${route ?? "-"} ${ms} ms${details}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
