// Loaded into wrangler by emulator/pages.ts. CommonJS, because with an ES module Node.js parses wrangler twice more, which
// takes a tenth of its start time.

const childProcess = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { isMainThread } = require("node:worker_threads");

/**
 * Wrangler keeps running when workerd, which runs the app, has died, and every request hangs. Ends wrangler too, unless
 * wrangler itself ended workerd.
 */
const { spawn } = childProcess;
childProcess.spawn = (command, ...rest) => {
  const child = spawn(command, ...rest);
  if (/workerd/.test(command)) child.once("exit", () => child.killed || process.exit(1));
  return child;
};

/**
 * Wrangler lets esbuild watch its bundle of several megabytes, and esbuild reads it again and again, which takes
 * a tenth of a core or more. Builds the bundle once: the copy that is served never changes. Leaves out source maps, which
 * take a fifth of the start's processor time: stack traces name the functions without them.
 */
function buildOnce() {
  const requireByWrangler = createRequire(process.argv[1]);
  const esbuild = requireByWrangler("esbuild");
  const { build, context } = esbuild;
  const buildWithoutMap = (options) => build({ ...options, sourcemap: false });
  const contextWithoutWatch = async (options) => {
    const built = await context({ ...options, sourcemap: false });
    return { ...built, watch: async () => void (await built.rebuild()) };
  };
  require.cache[requireByWrangler.resolve("esbuild")].exports = {
    ...esbuild,
    build: buildWithoutMap,
    context: contextWithoutWatch,
  };
}
// esbuild's worker thread also runs this file, and must not load esbuild a second time.
if (isMainThread) buildOnce();

/**
 * Wrangler asks workerd's inspector for events of each request and response, and writes every message of the inspector
 * into a file. That takes more than a third of the server's processor time. Leaves the messages about errors.
 */
const { readFileSync } = fs;
fs.readFileSync = (path, ...options) => {
  const content = readFileSync(path, ...options);
  if (!String(path).endsWith("InspectorProxyWorker.js")) return content;
  const code = String(content)
    .replace('method: "Network.enable"', 'method: "Network.disable"')
    .replace('this.sendProxyControllerRequest({ type: "debug-log", args });', "");
  return typeof content === "string" ? code : Buffer.from(code);
};
