import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A KV namespace for the maintenance switch. */
const NAMESPACE = `
[[kv_namespaces]]
binding = "SWITCHES"
id = "switches"
`;
const TOGGLE = `
export async function onRequest({ env }) {
  const isOn = (await env.SWITCHES.get("maintenance")) === "1";
  await env.SWITCHES.put("maintenance", isOn ? "0" : "1");
  return new Response("toggled");
}
`;

/**
 * How long an isolate uses the value of the switch. The copied code reads it for each request instead, so that tests do
 * not have to wait.
 */
const MAX_AGE = /(?<=MAX_AGE_MS = )10_000/;

/**
 * Copies the build, and adds a maintenance switch and an address that toggles it.
 *
 * @param root the folder with the build and the functions
 */
export async function createRootWithSwitch(root = ".") {
  const folder = await mkdtemp(join(tmpdir(), "switchable-"));
  for (const name of ["build", "functions", "package.json", "wrangler.toml"]) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  await appendFile(join(folder, "wrangler.toml"), NAMESPACE);
  await writeFile(join(folder, "functions/toggle.js"), TOGGLE);
  const reader = join(folder, "functions/maintenance-switch.ts");
  const source = await readFile(reader, "utf8");
  if (!MAX_AGE.test(source)) throw new Error("The age of the switch has another name");
  await writeFile(reader, source.replace(MAX_AGE, "0"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Toggles the maintenance switch of an app that runs from this folder. */
export async function toggleMaintenance(url: string): Promise<void> {
  await fetch(`${url}/toggle`);
}
