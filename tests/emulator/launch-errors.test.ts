import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase } from "#emulator/firebase.ts";
import { findJava } from "#emulator/google-emulators.ts";
import { describeLaunchError } from "#emulator/launch-error.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { listDescendants } from "#tests/support/processes.ts";

// Tests what the launcher prints for each error. tests/emulator/launch.test.ts runs the launcher itself.

test.each([
  {
    problem: "a firebase.json that is not JSON",
    text: "{",
    sentence: /^.+firebase\.json is not valid JSON: .+$/,
  },
  {
    problem: "a port that is not a number",
    text: '{"firestore":{"rules":"a","indexes":"b"},"database":{"rules":"c"},"emulators":{"auth":{"port":"x"}}}',
    sentence: /^.+firebase\.json: emulators\.auth\.port: .+$/,
  },
])("fails with one sentence on $problem", async ({ text, sentence }) => {
  await using file = await createFile("firebase.json", text);

  expect(await describeError(readFirebaseJson(file.path))).toMatch(sentence);
});

test("fails with one sentence on invalid Firestore rules, and starts nothing", async () => {
  await using file = await createFile(
    "firestore.rules",
    "service cloud.firestore { match /a { allow read: if ; } }",
  );
  const { rules, ...settings } = await readFirebaseJson("firebase.json");
  const before = listServers();

  const error = await describeError(
    startFirebase({
      ...settings,
      ports: { auth: 0, firestore: 0, database: 0 },
      rules: { ...rules, firestore: file.path },
      projectId: LOCAL_PROJECT_ID,
    }),
  );

  expect(error).toMatch(
    /^The Auth and Firestore servers did not start: .+firestore\.rules does not parse: 1:53.+$/,
  );
  expect(listServers()).toEqual(before);
});

const WAYS_OUT =
  /^No program for the Auth and Firestore servers was found for .+: put fireemu on the PATH .+, install Java .+, or name .+\.\n$/;

test.each([
  { command: "npm run emulators", program: "emulator/emulators.ts", lastLine: "" },
  { command: "npm test", program: "tests/run.ts", lastLine: "0 passed, 1 failed\n" },
])(
  "`$command` ends with one sentence on the ways out if there is neither fireemu nor Java",
  ({ program, lastLine }) => {
    const env = { ...process.env, FIREBASE_ENGINE: "google", JAVA_HOME: "", PATH: "" };

    const args = ["--import", "tsx", program];
    const run = spawnSync(process.execPath, args, { env, encoding: "utf8" });

    expect(run.stderr).toMatch(WAYS_OUT);
    // Another checkout may be running.
    expect(run.stdout.replaceAll(/^Port .+ is already in use.+\n/gm, "")).toBe(lastLine);
    expect(run.status).toBe(1);
  },
);

test("a JAVA_HOME that no longer exists does not hide the Java on the PATH", async () => {
  await using file = await createFile("java", "#!/bin/sh\n");
  await chmod(file.path, 0o755);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("JAVA_HOME", join(file.path, "../missing"));
  vi.stubEnv("PATH", `${join(file.path, "..")}:${process.env.PATH}`);

  expect(await findJava()).toBe(file.path);
});

test("a full disk is one sentence that names the file", async () => {
  const path = join(tmpdir(), "missing/lock");
  const error = await mkdir(path).catch((reason: unknown) => reason);
  const full = Object.assign(error as NodeJS.ErrnoException, { code: "ENOSPC" });

  expect(describeLaunchError(full)).toBe(`The disk is full: ${path} cannot be written.`);
  // Node.js does not name the file of a write.
  delete full.path;
  expect(describeLaunchError(full)).toBe("The disk is full.");
});

/** Returns what the launcher prints when `starting` rejects. Only the user's errors have no stack trace. */
async function describeError(starting: Promise<unknown>): Promise<string> {
  const error = await starting.then(
    () => "Expected an error",
    (error: unknown) => error,
  );
  return describeLaunchError(error);
}

/** Returns the process ids of the Auth and Firestore servers that this process has started. */
function listServers(): number[] {
  return listDescendants(process.pid).flatMap(([program, pid]) =>
    program === "fireemu" ? [pid] : [],
  );
}

/** Writes a file in a new folder. */
async function createFile(name: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), "launch-errors-test-"));
  const path = join(folder, name);
  await writeFile(path, text);
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
