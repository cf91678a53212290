import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { startTestDatabase } from "#tests/support/database.ts";

const BIN = "emulator/database/bin.js";
const USAGE =
  "Usage: local-realtime-database --rules database.rules.json [--file database.jsonl] [--port 9000]";

test("the package's command starts a database with these rules, and ends on Ctrl-C", async () => {
  const args = [BIN, "--rules", "database.rules.json", "--port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line]: string[] = await once(createInterface(child.stdout), "line");
  const [, host] = /at (127\.0\.0\.1:\d+)\. Press Ctrl-C to stop\.$/.exec(line ?? "") ?? [];
  const put = (headers: Record<string, string>) =>
    fetch(`http://${host}/unknown.json?ns=test`, { method: "PUT", headers, body: "1" });

  expect((await put({})).status).toBe(401);
  expect((await put({ Authorization: "Bearer owner" })).status).toBe(200);

  const ended = once(child, "exit");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});

test("the package's command refuses a file that another process uses", async () => {
  const folder = await mkdtemp(join(tmpdir(), "database-command-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "database.jsonl");
  await using _server = await startTestDatabase({ file });
  const args = [BIN, "--rules", "database.rules.json", "--file", file, "--port", "0"];

  const ended: unknown = await promisify(execFile)(process.execPath, args, {
    timeout: 10_000,
  }).catch((error: unknown) => error);

  expect(ended).toMatchObject({ code: 1, stderr: `Another process uses ${file}.\n` });
});

test("the package's command refuses a file that is a folder, and ends", async () => {
  const folder = await mkdtemp(join(tmpdir(), "database-command-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "data");
  await mkdir(file);
  const args = [BIN, "--rules", "database.rules.json", "--file", file, "--port", "0"];

  const ended: unknown = await promisify(execFile)(process.execPath, args, {
    timeout: 10_000,
  }).catch((error: unknown) => error);

  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("EISDIR") });
});

test.each([
  [[], USAGE],
  [["--rules", "missing.json"], "missing.json is missing or cannot be read."],
  [["--rules", "package.json", "--port", "x"], '--port must be a number from 0 to 65535, not "x".'],
])("the package's command refuses %j in one sentence", async (args, sentence) => {
  const ended: unknown = await promisify(execFile)(process.execPath, [BIN, ...args]).catch(
    (error: unknown) => error,
  );

  expect(ended).toMatchObject({ code: 1, stderr: `${sentence}\n` });
});
