import * as z from "zod";

import { createTerms } from "#app/stories/terms.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { startProduction } from "./production.ts";
import { startReadCounter } from "./read-counter.ts";

// Compares a library of 10,000 published stories with one of 100: how long the pages of a visitor take, and how many
// documents they read. Exits with 1 when a page takes more than 1.2 times as long or reads more than its limit. The time
// does not include Firestore's: the local one has no indexes and looks at every document, while the time of the real one
// depends on the documents that it returns.

const SMALL = 100;
const LARGE = 10_000;
const RATIO = 1.2;
const SAMPLES = 25;
const COMMIT_SIZE = 250;

/** The room's messages, a page of stories or a scan of them, and the newest stories once. */
const MAX_READS = 200;

/** Every third story has the word, the tag or the writer of the searches, so that the first page is full in both. */
const WORDS = ["salt", "tide", "lamp"];
const TAGS = ["moor", "rain", "coal"];
const PAGES = {
  "/home": "/home",
  "one word": "/home?q=salt",
  "a rare word": "/home?q=number42z",
  "three words": "/home?q=salt+clerk+ana",
  "a tag": "/home?tag=moor",
  "a tag, the longest first": "/home?tag=moor&sort=long",
  "a writer": "/home?writer=writer2",
  "a word that no story has": "/home?q=zzz",
};

type Name = keyof typeof PAGES;

let counter: Awaited<ReturnType<typeof startReadCounter>> | undefined;
await using app = await startProduction({
  messages: 8,
  proxyHosts: async (hosts: FirebaseHosts) => {
    counter = await startReadCounter(hosts.FIRESTORE_EMULATOR_HOST ?? "");
    return { ...hosts, FIRESTORE_EMULATOR_HOST: counter.host };
  },
});
const names = Object.keys(PAGES) as Name[]; // the object's own keys

await publish(0, SMALL);
const small = await measureAll();
await publish(SMALL, LARGE);
const large = await measureAll();

let isOver = false;
for (const name of names) {
  const [before, after] = [small[name], large[name]];
  const ratio = after.ms / before.ms;
  const isTooSlow = ratio > RATIO;
  const isTooMuch = after.reads > MAX_READS;
  isOver ||= isTooSlow || isTooMuch;
  console.log(
    [
      name.padEnd(28),
      `${before.ms.toFixed(1)} ms`.padStart(9),
      `${after.ms.toFixed(1)} ms`.padStart(9),
      `${ratio.toFixed(2)} times`.padStart(11),
      `${before.reads} reads`.padStart(10),
      `${after.reads} reads`.padStart(10),
      `${after.requests} requests`.padStart(11),
      isTooSlow || isTooMuch ? "OVER" : "ok",
    ].join(" "),
  );
}
process.exitCode = isOver ? 1 : 0;
counter?.[Symbol.dispose]();

interface Measured {
  /** The median, without Firestore's time. */
  ms: number;
  /** The documents that one view reads. */
  reads: number;
  requests: number;
}

async function measureAll(): Promise<Record<Name, Measured>> {
  const rows = new Map<Name, Measured>();
  for (const name of names) rows.set(name, await measure(PAGES[name]));
  const measured = z.record(z.string(), z.custom<Measured>()).parse(Object.fromEntries(rows));
  return measured as Record<Name, Measured>; // has a row for each name
}

async function measure(path: string): Promise<Measured> {
  // Fills the isolate's caches.
  for (let index = 0; index < 3; index += 1) await open(path);
  counter?.take();
  const times: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    counter?.takeTime();
    const total = await open(path);
    times.push(total - (counter?.takeTime() ?? 0));
  }
  const reads = counter?.take() ?? { documents: 0, empty: 0, requests: 0 };
  const [median = 0] = times.toSorted((a, b) => a - b).slice(Math.floor(SAMPLES / 2));
  return {
    ms: median,
    reads: Math.round(reads.documents / SAMPLES),
    requests: Math.round(reads.requests / SAMPLES),
  };
}

async function open(path: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(app.url + path);
  await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - start;
}

/** Publishes the stories from number `from` to number `to`, bypassing the rules. */
async function publish(from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += COMMIT_SIZE) {
    const end = Math.min(to, start + COMMIT_SIZE);
    const writes = Array.from({ length: end - start }, (_, index) => toWrite(start + index));
    const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
    const host = app.hosts.FIRESTORE_EMULATOR_HOST;
    const response = await fetch(`http://${host}/v1/${root}:commit`, {
      method: "POST",
      headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
      body: JSON.stringify({ writes }),
    });
    if (!response.ok) throw new Error(`commit: ${response.status}`);
  }
}

function toWrite(number: number) {
  const title = `The ${WORDS[number % 3]} and the bell number${number}z`;
  const author = `Ana Writer${number % 3}`;
  const description = "A clerk at the weather office counts what the others have forgotten.";
  const tags = [TAGS[number % 3] ?? "", "work"];
  const terms = createTerms({ title, author, description, tags });
  const id = `a-story-${String(number).padStart(10, "0")}`;
  const time = { timestampValue: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString() };
  const text = (stringValue: string) => ({ stringValue });
  const list = (texts: string[]) => ({ arrayValue: { values: texts.map(text) } });
  return {
    update: {
      name: `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents/stories/${id}`,
      fields: {
        uid: text(`writer${number % 3}`),
        author: text(author),
        title: text(title),
        description: text(description),
        tags: list(tags),
        cover: { nullValue: null },
        words: { integerValue: String(500 + ((number * 37) % 4000)) },
        parts: { integerValue: "1" },
        terms: list(terms),
        publishedAt: time,
        updatedAt: time,
      },
    },
  };
}
