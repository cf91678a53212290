import { setTimeout as delay } from "node:timers/promises";

import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { send, type TimedResponse } from "./client.ts";
import { toStoryId } from "./publish-stories.ts";

// The users of `npm run bench:load`, in a separate process: readers and writers with pauses between their requests.
// Each page that a reader opens makes two requests, because its script then asks what is new in the room. Half of the
// readers have begun a story, so they share neither its pages nor /home with others.

const optionsSchema = z.object({
  url: z.string(),
  readers: z.number(),
  /** The `Cookie` headers of the users. */
  writers: z.array(z.string()),
  seconds: z.number(),
});
export type LoadOptions = z.infer<typeof optionsSchema>;

/** The average pause. */
const READER_PAUSE_MS = 10_000;
const WRITER_PAUSE_MS = 5000;

const BEGUN_STORY = "the-lamplighters-orchard";

/** The stories that readers open, of those that are published. */
const OPENED_STORIES = 20;

function toPath(page: number): string {
  const paths = [
    "/home",
    `/read/${BEGUN_STORY}`,
    "/home",
    "/home?tag=moor",
    toStoryPath(toStoryId(page % OPENED_STORIES)),
    "/login",
  ];
  return paths[page % paths.length] ?? "/home";
}

export const loadReportSchema = z.object({
  reads: z.array(z.number()),
  writes: z.array(z.number()),
  /** The number of failures, by their description. */
  errors: z.record(z.string(), z.number()),
  /** Of this process, in milliseconds. */
  cpuTime: z.number(),
  /** Of this process, in bytes. */
  memory: z.number(),
});
type LoadReport = z.infer<typeof loadReportSchema>;

const savedSchema = z.object({ draft: z.object({ revision: z.number() }) });

process.once("message", (message) => {
  void run(optionsSchema.parse(message)).then((report) => process.send?.(report));
});

async function run({ url, readers, writers, seconds }: LoadOptions): Promise<LoadReport> {
  const report: LoadReport = { reads: [], writes: [], errors: {}, cpuTime: 0, memory: 0 };
  const end = performance.now() + seconds * 1000;

  async function count(
    kind: "reads" | "writes",
    what: string,
    isExpected: (response: TimedResponse) => boolean,
    pending: Promise<TimedResponse>,
  ): Promise<TimedResponse | undefined> {
    const response = await pending.catch(() => undefined);
    if (response && isExpected(response)) {
      report[kind].push(response.ms);
      return response;
    }
    const failure = `${what}: ${response?.status ?? "no response"}`;
    report.errors[failure] = (report.errors[failure] ?? 0) + 1;
    return undefined;
  }

  const open = (path: string, cookie = "") =>
    count("reads", path, ({ status }) => status === 200, send(url + path, cookie));

  async function read(number: number): Promise<void> {
    const cookie = number % 2 === 0 ? "" : returningCookie;
    await delay(Math.random() * READER_PAUSE_MS);
    for (let page = number; performance.now() < end; page += 1) {
      await open(toPath(page), cookie);
      await open("/rooms/general/summary", cookie);
      await pause(READER_PAUSE_MS);
    }
  }

  async function write(cookie: string): Promise<void> {
    const id = createDocumentId();
    let revision = 0;
    async function save(text: string): Promise<void> {
      const form = { intent: "save", id, revision: String(revision), title: "Salt", text };
      const saved = send(`${url}/drafts`, cookie, form);
      const response = await count("writes", "/drafts", ({ status }) => status === 200, saved);
      if (response) revision = savedSchema.parse(JSON.parse(response.readText())).draft.revision;
    }
    async function post(message: string): Promise<void> {
      const form = { messageId: createDocumentId(), message };
      const posted = send(`${url}/home`, cookie, form);
      await count("writes", "POST /home", ({ status }) => status === 303, posted);
    }
    await delay(Math.random() * WRITER_PAUSE_MS);
    for (let round = 0; performance.now() < end; round += 1) {
      const steps = [
        () => open("/home", cookie),
        () => save(`The ${round}th sentence.`),
        () => post(`The ${round}th message.`),
        () => save(`The ${round}th sentence, and another.`),
      ];
      await steps[round % steps.length]?.();
      await pause(WRITER_PAUSE_MS);
    }
  }

  const returningCookie = await beginStory(url);
  const before = process.cpuUsage();
  await Promise.all([
    ...Array.from({ length: readers }, (_, number) => read(number)),
    ...writers.map(write),
  ]);
  const { user, system } = process.cpuUsage(before);
  return { ...report, cpuTime: (user + system) / 1000, memory: process.memoryUsage.rss() };
}

/** Reads a part of a story, and returns the cookies of that browser. */
async function beginStory(url: string): Promise<string> {
  const page = await send(`${url}/read/${BEGUN_STORY}`);
  const [, , [, paragraph = ""] = []] = [...page.readText().matchAll(/ id="(p-[^"]+)"/g)];
  const form = { story: BEGUN_STORY, paragraph };
  const { status, headers } = await send(`${url}/reading-position`, "", form);
  if (status !== 303) throw new Error(`The reading position was not saved: ${status}`);
  return (headers["set-cookie"] ?? []).map((text) => text.split(";")[0]).join("; ");
}

async function pause(ms: number): Promise<void> {
  await delay(ms * (0.5 + Math.random()));
}
