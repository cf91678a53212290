import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test, vi } from "vitest";

import { findFreePort } from "#emulator/ports.ts";
import { createCheckout } from "#tests/support/launcher.ts";
import { isRunning } from "#tests/support/processes.ts";

// Each start builds an app.
vi.setConfig({ testTimeout: 180_000 });

test("two checkouts run side by side, and one stops with a message when workerd dies", async () => {
  await using one = await createCheckout();
  await using other = await createCheckout();
  await other.write("firebase.json", await readFile(join(one.folder, "firebase.json"), "utf8"));
  await other.writeApp();
  // The local Firebase alone has the same hosts as with an app, and takes less time to start.
  await using first = one.launch();
  await first.ready();

  const port = String(await findFreePort());
  await using second = other.launch({ PORT: port }, { isWholeApp: true });
  await second.ready();

  const env = await readJson(`http://127.0.0.1:${port}`);
  const { auth, firestore, database } = one.ports;
  for (const [taken, server, name] of [
    [auth, "the Auth server", "FIREBASE_AUTH_EMULATOR_HOST"],
    [firestore, "the Firestore server", "FIRESTORE_EMULATOR_HOST"],
    [database, "the Realtime Database", "FIREBASE_DATABASE_EMULATOR_HOST"],
  ] as const) {
    expect(first.output).toContain(`${name}=127.0.0.1:${taken}\n`);
    const host = String(env[name]);
    expect(second.output).toContain(
      `Port ${taken} is already in use, so ${server} is at ${host}.\n`,
    );
    expect(host).not.toBe(`127.0.0.1:${taken}`);
    expect((await fetch(`http://${host}`)).status).toBeLessThan(500);
  }
  expect(first.output).toContain("Data is saved in .firebase.");
  expect(second.output).toContain("Data is saved in .firebase.");

  const processes = second.processes();
  const before = performance.now();
  process.kill(processes.get("workerd") ?? 0, "SIGKILL");
  await second.printed("The app's server stopped unexpectedly.");

  expect(performance.now() - before).toBeLessThan(5000);
  expect(await second.exited).toBe(1);
  expect([...processes.values()].filter(isRunning)).toEqual([]);
  const leftFolders = (await readdir(tmpdir())).filter((name) => name.includes(`-${second.pid}-`));
  expect(leftFolders).toEqual([]);
});

test("an app on a port of firebase.json moves the server of that port, and says so", async () => {
  await using checkout = await createCheckout();
  await checkout.writeApp();
  const port = checkout.ports.firestore;

  await using launcher = checkout.launch({ PORT: String(port) }, { isWholeApp: true });
  await launcher.ready();

  const { FIRESTORE_EMULATOR_HOST: host } = await readJson(`http://127.0.0.1:${port}`);
  expect(launcher.output).toContain(
    `Port ${port} is already in use, so the Firestore server is at ${String(host)}.\n`,
  );
});

test("when a checkout is started twice, only the first saves data, and the second says so", async () => {
  await using checkout = await createCheckout();
  const settings = await readFile(join(checkout.folder, "firebase.json"), "utf8");
  const first = checkout.launch();
  await first.ready();
  const database = (port: number) =>
    `http://127.0.0.1:${port}/a.json?ns=demo-inkglade-default-rtdb&auth=owner`;
  const write = (port: number, body: string) => fetch(database(port), { method: "PUT", body });
  await write(checkout.ports.database, '{"by":"first"}');
  let moved = settings;
  for (const port of Object.values(checkout.ports)) {
    moved = moved.replace(String(port), String(await findFreePort()));
  }
  await checkout.write("firebase.json", moved);
  const data = join(checkout.folder, ".firebase");
  // As a launcher in a container sees it, where the first is no process, or another one.
  const writeLocks = async (pid: number) => {
    const locks = (await readdir(data)).filter((name) => name.endsWith("lock"));
    await Promise.all(locks.map((name) => writeFile(join(data, name), String(pid))));
  };

  await writeLocks(2 ** 22 + 1);
  const second = checkout.launch();
  await second.ready();

  expect(second.output).toContain(
    "Data isn't saved: another process of this checkout is running, and saves its data in .firebase.",
  );
  const [, port = 0] = /^FIREBASE_DATABASE_EMULATOR_HOST=.+:(.+)$/m.exec(second.output) ?? [];
  await write(Number(port), '{"by":"second"}');
  await second.end("SIGTERM");
  await first.end("SIGKILL");
  await writeLocks(process.pid);
  await using third = checkout.launch();
  await third.ready();
  expect(third.output).toContain("Data is saved in .firebase.");
  expect(await readJson(database(Number(port)))).toEqual({ by: "first" });
});

test("an app that has not changed since its build is not built again", async () => {
  await using checkout = await createCheckout();
  await checkout.writeApp();
  const start = async () => {
    const env = { PORT: String(await findFreePort()) };
    await using launcher = checkout.launch(env, { isWholeApp: true });
    await launcher.ready();
    return launcher.output;
  };

  const outputs = [await start(), await start()];
  await checkout.write("app/new.ts", "");
  outputs.push(await start());

  expect(outputs.map((output) => output.includes("Building …"))).toEqual([true, false, true]);
});

async function readJson(url: string): Promise<Record<string, unknown>> {
  const json: unknown = await (await fetch(url)).json();
  return { ...(json as object) };
}
