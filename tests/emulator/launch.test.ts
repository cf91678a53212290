import { execFile } from "node:child_process";
import fs, { access, chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import os, { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test, vi } from "vitest";

import { chooseDataFolder } from "#emulator/data-folder.ts";
import { findRunning, recordRunning } from "#emulator/running.ts";
import { createCheckout, type Checkout } from "#tests/support/launcher.ts";
import { isRunning } from "#tests/support/processes.ts";

vi.setConfig({ testTimeout: 60_000 });

const API = "identitytoolkit.googleapis.com/v1";
const account = { email: "ana@example.com", password: "correct horse", returnSecureToken: true };

test("SIGTERM and SIGINT leave no process behind, and the data is restored after a restart", async () => {
  await using checkout = await createCheckout();
  const { auth, firestore, database } = checkout.ports;
  const documents = `http://127.0.0.1:${firestore}/v1/projects/demo-inkglade/databases/(default)/documents`;
  const status = `http://127.0.0.1:${database}/status/ana.json?ns=demo-inkglade-default-rtdb`;

  const first = checkout.launch();
  await first.ready();
  await signUp(checkout);
  const fields = { text: { stringValue: "Hello" } };
  await send("PATCH", `${documents}/rooms/general/messages/one`, { fields });
  await send("PUT", status, { state: "offline" });
  await expectToEnd(first, "SIGTERM");

  const second = checkout.launch();
  await second.ready();
  const signIn = `http://127.0.0.1:${auth}/${API}/accounts:signInWithPassword?key=local`;
  expect(await send("POST", signIn, account)).toMatchObject({ email: account.email });
  expect(await send("GET", `${documents}/rooms/general/messages/one`)).toMatchObject({ fields });
  expect(await send("GET", status)).toEqual({ state: "offline" });
  await expectToEnd(second, "SIGINT");
});

test.each([
  {
    problem: "a host that is not loopback",
    file: "firebase.json",
    text: '{"firestore":{"rules":"a","indexes":"b"},"database":{"rules":"c"},"emulators":{"auth":{"host":"0.0.0.0"}}}',
    sentence: /^firebase\.json: emulators\.auth\.host: must be 127\.0\.0\.1.+\n$/,
  },
  {
    problem: "invalid database rules",
    file: "database.rules.json",
    text: '{"rules": {".read": "auth ="}}',
    sentence: /^The Realtime Database did not start: .+database\.rules\.json: 1:\d+: .+\n$/,
  },
])("fails with one sentence on $problem, and starts nothing", async ({ file, text, sentence }) => {
  await using checkout = await createCheckout();
  await checkout.write(file, text);

  await using launcher = checkout.launch();

  expect(await launcher.exited).toBe(1);
  expect(launcher.output).toMatch(sentence);
});

test("stops all servers when one dies", async () => {
  await using checkout = await createCheckout();
  await using launcher = checkout.launch();
  await launcher.ready();

  const fireemu = launcher.processes().get("fireemu") ?? 0;
  process.kill(fireemu, "SIGKILL");

  expect(await launcher.exited).toBe(1);
  expect(launcher.output).toContain("The Auth and Firestore servers stopped");
});

test("Ctrl-C saves the data where the launcher gets the signal from the terminal and from npm", async () => {
  await using checkout = await createCheckout();
  const launcher = checkout.launch();
  await launcher.ready();
  await signUp(checkout);

  process.kill(launcher.pid, "SIGINT");
  expect(await launcher.end("SIGINT")).toBe(0);

  expect(await readdir(join(checkout.folder, ".firebase"))).toEqual(["current", "database.jsonl"]);
});

test("a launcher that is killed leaves no process behind", async () => {
  await using checkout = await createCheckout();
  const launcher = checkout.launch();
  await launcher.ready();
  const processes = [...launcher.processes().values()];

  expect(await launcher.end("SIGKILL")).toBe(null);

  await expect.poll(() => processes.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});

test("stopping npm leaves no process behind", async () => {
  await using checkout = await createCheckout();
  const shell = checkout.launch({ npm_lifecycle_event: "emulators" }, { inShell: true });
  await shell.ready();
  const processes = [...shell.processes().values()];

  // npm forwards the signal to its shell, which ends without forwarding it.
  process.kill(shell.pid, "SIGTERM");

  await expect.poll(() => processes.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});

test("SIGHUP saves the data in the user's state folder if others can write to the checkout", async () => {
  await using checkout = await createCheckout();
  const state = await mkdtemp(join(homedir(), ".launcher-test-state-"));
  await chmod(checkout.folder, 0o777);

  const launcher = checkout.launch({ XDG_STATE_HOME: state });
  await launcher.ready();
  await signUp(checkout);
  await expectToEnd(launcher, "SIGHUP");

  const [, folder = ""] = /^Data is saved in (.+)\.$/m.exec(launcher.output) ?? [];
  expect(folder.startsWith(state)).toBe(true);
  await access(join(folder, "current/firebase-export-metadata.json"));
  await rm(state, { recursive: true });
});

test("saves data in the user's state folder if the user cannot write to the checkout", async () => {
  await using checkout = await createCheckout();
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("XDG_STATE_HOME", join(checkout.folder, "state"));
  // Root can write everywhere.
  exportUntilFinished(vi.spyOn(fs, "access").mockRejectedValueOnce(new Error("EACCES")));

  const folder = await chooseDataFolder(checkout.folder);

  expect(folder).toContain(join(checkout.folder, "state"));
});

test("uses a server that is already running", async () => {
  await using checkout = await createCheckout();
  await using launcher = checkout.launch({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:8765" });
  await launcher.ready();

  expect(launcher.output).toContain("FIRESTORE_EMULATOR_HOST=127.0.0.1:8765");
  expect(launcher.output).toContain(
    "Data isn't saved here, because FIRESTORE_EMULATOR_HOST is set.",
  );
  await expect(fetch(`http://127.0.0.1:${checkout.ports.firestore}`)).rejects.toThrow();
  expect((await fetch(`http://127.0.0.1:${checkout.ports.auth}`)).status).toBe(200);
  const [, google = ""] = /^GOOGLE_EMULATOR_HOST=(.+)$/m.exec(launcher.output) ?? [];
  expect((await fetch(`http://${google}/o/oauth2/v2/auth`)).status).toBe(400);
});

test("prints what runs where, where data is saved, and the address of the pages", async () => {
  await using checkout = await createCheckout();
  await using launcher = checkout.launch();
  await launcher.ready();

  const { auth, firestore, database } = checkout.ports;
  expect(launcher.output).toMatch(/^Local Firebase, project demo-inkglade$/m);
  expect(launcher.output).toMatch(RegExp(`^  Auth +127\\.0\\.0\\.1:${auth}$`, "m"));
  expect(launcher.output).toMatch(RegExp(`^  Firestore +127\\.0\\.0\\.1:${firestore}$`, "m"));
  expect(launcher.output).toMatch(
    RegExp(`^  Realtime Database +127\\.0\\.0\\.1:${database}$`, "m"),
  );
  expect(launcher.output).toContain("Data is saved in .firebase.");
  const [, page = ""] = /^  Data and e-mails +(http:.+)$/m.exec(launcher.output) ?? [];
  expect(await (await fetch(page)).text()).toContain("Data is saved in .firebase.");
});

test("--memory creates no folder for data, and says so", async () => {
  await using checkout = await createCheckout();
  await using launcher = checkout.launch({}, { args: ["--memory"] });
  await launcher.ready();

  expect(await launcher.end("SIGINT")).toBe(0);

  expect(launcher.output).toContain("Data isn't saved, because of --memory.");
  expect(await readdir(checkout.folder)).not.toContain(".firebase");
});

test.each([["--memroy"], ["--memory=yes"], ["memory"]])(
  "refuses the option %s in one sentence",
  async (option) => {
    await using checkout = await createCheckout();
    await using launcher = checkout.launch({}, { args: [option] });

    expect(await launcher.exited).toBe(1);
    expect(launcher.output).toBe(`"${option}" is not an option. The only one is --memory.\n`);
  },
);

test("npm run seed finds the servers of its checkout, and adds nothing twice", async () => {
  await using checkout = await createCheckout();
  const seed = promisify(execFile);
  const addSeed = () =>
    seed(process.execPath, ["--import", "tsx", "emulator/seed-command.ts"], {
      cwd: checkout.folder,
    });
  await expect(addSeed()).rejects.toThrow("No local Firebase of this checkout is running.");
  await using launcher = checkout.launch({}, { args: ["--memory"] });
  await launcher.ready();
  const { auth, firestore } = checkout.ports;
  await signUp(checkout);

  // Ana has registered herself already.
  expect((await addSeed()).stdout).toBe(
    `Added 1 account to 127.0.0.1:${auth}.\nAdded 4 documents to 127.0.0.1:${firestore}.\n`,
  );
  expect((await addSeed()).stdout).toBe(
    `Every account of seed.json is already at 127.0.0.1:${auth}.\n` +
      `Every document of seed.json is already at 127.0.0.1:${firestore}.\n`,
  );
});

test("npm run seed still finds the first launcher when a second one has ended", async () => {
  await using checkout = await createCheckout();
  await using first = checkout.launch({}, { args: ["--memory"] });
  await first.ready();
  const second = checkout.launch({}, { args: ["--memory"] });
  await second.ready();
  await second.end("SIGTERM");

  const args = ["--import", "tsx", "emulator/seed-command.ts"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: checkout.folder });

  expect(stdout).toContain(`to 127.0.0.1:${checkout.ports.auth}.\n`);
});

test("a user id without a name finds the servers of its checkout", async () => {
  await using checkout = await createCheckout();
  const userInfo = vi.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("ENOENT: no such user");
  });
  exportUntilFinished(userInfo);
  const hosts = {
    FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099",
    FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080",
  };

  onTestFinished(await recordRunning(checkout.folder, hosts));

  expect(await findRunning(checkout.folder)).toEqual(hosts);
});

/** Lets every module import the replaced function of Node.js, until the end of the test. */
function exportUntilFinished(spy: { mockRestore(): void }): void {
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

/** Sends a signal. Expects the launcher to end without an error, and everything it has started to end too. */
async function expectToEnd(
  launcher: ReturnType<Checkout["launch"]>,
  signal: NodeJS.Signals,
): Promise<void> {
  const processes = [...launcher.processes().values()];
  expect(processes.length).toBeGreaterThan(0);
  expect(await launcher.end(signal)).toBe(0);
  expect(processes.filter(isRunning)).toEqual([]);
}

async function signUp({ ports }: Checkout): Promise<void> {
  await send("POST", `http://127.0.0.1:${ports.auth}/${API}/accounts:signUp?key=local`, account);
}

async function send(method: string, url: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { authorization: "Bearer owner", "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(json)}`);
  return { ...(json as object) };
}
