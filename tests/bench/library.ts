import * as z from "zod";

import { startCountedProduction } from "./counted-production.ts";
import { median } from "./percentile.ts";
import { publishStories } from "./publish-stories.ts";

// Compares a library of 10,000 published stories with one of 100: how long the pages of a visitor take, and how many
// documents they read. Exits with 1 when a page takes more than 1.2 times as long or reads more than its limit. The
// time does not include Firestore's: the local one has no indexes and looks at every document, while the time of the
// real one depends on the documents that it returns.

const SMALL = 100;
const LARGE = 10_000;
const RATIO = 1.2;
const SAMPLES = 25;

/** Enough for the room's messages, for a page or a scan of stories, and for the newest stories, which are read once. */
const MAX_READS = 200;

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

await using app = await startCountedProduction({ hasPageCache: false, messages: 8 });
const { counter } = app;
const names = Object.keys(PAGES) as Name[]; // the object's own keys

await publishStories(app.hosts, 0, SMALL);
const small = await measureAll();
await publishStories(app.hosts, SMALL, LARGE);
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
  counter.collect();
  const times: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    counter.collectTime();
    const total = await open(path);
    times.push(total - counter.collectTime());
  }
  const reads = counter.collect();
  return {
    ms: median(times),
    reads: Math.round(reads.documents / SAMPLES),
    requests: Math.round(reads.requests / SAMPLES),
  };
}

async function open(path: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(app.url + path);
  await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  return performance.now() - start;
}
