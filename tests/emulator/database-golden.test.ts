import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";
import { z } from "zod";

import {
  NAMESPACE,
  openSocket,
  sendRest,
  startTestDatabase,
  type TestSocket,
} from "#tests/support/database.ts";

const transcriptSchema = z.object({
  rules: z.unknown().optional(),
  seed: z.unknown().optional(),
  frames: z.array(
    z.union([
      z.object({ connection: z.string(), open: z.string() }),
      z.object({ connection: z.string(), sends: z.unknown() }),
      z.object({ connection: z.string(), receives: z.unknown() }),
      z.object({ connection: z.string(), close: z.number() }),
      z.object({ server: z.string(), data: z.unknown() }),
    ]),
  ),
});

const helloSchema = z.object({
  d: z.object({ t: z.literal("h"), d: z.object({ s: z.string() }) }),
});

const pushSchema = z.object({
  t: z.literal("d"),
  d: z.object({
    a: z.enum(["d", "m"]),
    b: z.object({ p: z.string(), d: z.unknown(), t: z.number().optional() }),
  }),
});

test.each([
  "01-connect-listen-set",
  "02-presence",
  "03-reconnect-hash",
  "04-get",
  "05-query-limitToLast",
  "06-transaction",
  "07-update-multipath-increment-priority",
  "09-permission-denied",
  "12-shadowing",
])("repeats the recorded conversation %s", async (name) => {
  const transcript = await readTranscript(name);
  const rules = transcript.rules ? { rules: JSON.stringify(transcript.rules) } : {};
  await using server = await startTestDatabase(rules);
  server.import({ [NAMESPACE]: transcript.seed ?? null });
  const sockets = new Map<string, TestSocket>();
  let lastSession = "";

  for (const frame of transcript.frames) {
    if ("server" in frame) {
      await sendRest(server, `${frame.server}.json`, {
        method: "PUT",
        body: JSON.stringify(frame.data),
      });
      continue;
    }
    if ("open" in frame) {
      const url = frame.open.replace("<SESSION>", lastSession);
      sockets.set(frame.connection, await openSocket(server, url));
      continue;
    }

    const socket = sockets.get(frame.connection);
    if (!socket) throw new Error(`${frame.connection} is not open`);
    if ("sends" in frame) {
      socket.send(frame.sends);
    } else if ("close" in frame) {
      if (frame.close === 1000) socket.close();
      else socket.terminate();
      await socket.closed;
    } else {
      const message = await socket.next();
      const hello = helloSchema.safeParse(message);
      if (hello.success && frame.connection === "C1") lastSession = hello.data.d.d.s;
      expect(flatten(message)).toEqual(fillIn(flatten(frame.receives)));
    }
  }
  for (const socket of sockets.values()) socket[Symbol.dispose]();
});

async function readTranscript(name: string): Promise<z.infer<typeof transcriptSchema>> {
  const file = new URL(`golden/${name}.json`, import.meta.url);
  return transcriptSchema.parse(JSON.parse(await readFile(file, "utf8")));
}

/** A merge may be pushed relative to its own path or to the listen's. Both mean the same. */
function flatten(message: unknown): unknown {
  const push = pushSchema.safeParse(message);
  if (!push.success) return message;
  const { a, b } = push.data.d;
  const prefix = b.p === "" ? "" : `${b.p}/`;
  if (a === "d" || typeof b.d !== "object" || b.d === null) return { [b.p]: b.d, tag: b.t };
  const entries = Object.entries(b.d).map(([key, value]) => [`${prefix}${key}`, value] as const);
  return { ...Object.fromEntries(entries), tag: b.t };
}

/** Replaces the values that differ each time with matchers. */
function fillIn(expected: unknown): unknown {
  if (expected === "<TS>") return expect.any(Number);
  if (expected === "<SESSION>") return expect.stringMatching(/^[\w-]{32}$/);
  if (expected === "<HOST>") return expect.stringMatching(/^127\.0\.0\.1:\d+$/);
  if (Array.isArray(expected)) return expected.map(fillIn);
  if (typeof expected !== "object" || expected === null) return expected;
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, fillIn(value)]));
}
