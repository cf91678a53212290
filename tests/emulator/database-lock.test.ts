import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { lockFile } from "#emulator/database/lock.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  path = join(folder, "data.lock");
});

afterEach(() => rm(folder, { recursive: true }));

const lock = () => lockFile(join(folder, "data"));

/** Writes a lock like this process, but of one that has ended. */
async function writeEndedLock(toMachine = (machine: string) => machine) {
  const held = await lock();
  const [, machine = ""] = /^\d+ ([^]*)$/.exec(await readFile(path, "utf8")) ?? [];
  held?.release();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await writeFile(path, `${pid} ${toMachine(machine)}`);
}

test("the lock of a process of this machine that has ended is taken at once", async () => {
  await writeEndedLock();
  const start = performance.now();

  const held = await lock();

  expect(held?.isHeld()).toBe(true);
  expect(performance.now() - start).toBeLessThan(2000);
  held?.release();
});

test("the lock of a container that renews it is not taken, whatever process has its id here", async () => {
  await writeEndedLock((machine) => `${machine} elsewhere`);
  const timer = setInterval(() => void writeFile(path, "1 elsewhere"), 100);

  expect(await lock()).toBeUndefined();

  clearInterval(timer);
});

test("only one of two has the lock, until it is released", async () => {
  const first = await lock();
  expect(await lock()).toBeUndefined();
  first?.release();

  const second = await lock();

  expect(second?.isHeld()).toBe(true);
  second?.release();
});
