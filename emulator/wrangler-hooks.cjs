// Loaded into wrangler by emulator/pages.ts. CommonJS, because with an ES module Node.js parses wrangler twice more, which
// takes a tenth of its start time.

const childProcess = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const nodePath = require("node:path");
const { isMainThread } = require("node:worker_threads");

/**
 * When workerd, which runs the app, has died, wrangler keeps running and every request hangs. Ends wrangler too, unless it
 * has ended workerd itself.
 */
const { spawn } = childProcess;
childProcess.spawn = (command, ...rest) => {
  const child = spawn(command, ...rest);
  if (/workerd/.test(command)) child.once("exit", () => child.killed || process.exit(1));
  return child;
};

/**
 * Builds the bundle once, because the served copy never changes. Wrangler lets esbuild watch it, which takes a tenth of a
 * core or more. Omits source maps, which take a fifth of the start's processor time: stack traces name the functions
 * anyway.
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
 * Refuses what Cloudflare refuses before it runs a function or finds a file. Wrangler would respond seconds later, with a
 * 500, or never. Runs in workerd.
 *
 * @param filePath matches the paths for which no function runs
 */
function refuse({ method, url }, filePath) {
  if (!URL.canParse(url)) return new Response("Bad Request", { status: 400 });
  const isRead = method === "GET" || method === "HEAD";
  const isFile = filePath.test(new URL(url).pathname);
  if (method !== "TRACE" && method !== "CONNECT" && (isRead || !isFile)) return null;
  return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
}

/** Returns a regular expression for the paths that `_routes.json` excludes. */
function readExcludedPaths() {
  const path = "build/client/_routes.json";
  const { exclude } = JSON.parse(
    fs.existsSync(path) ? fs.readFileSync(path, "utf8") : '{"exclude":[]}',
  );
  const patterns = exclude.map((pattern) => pattern.replaceAll(".", "\\.").replaceAll("*", ".*"));
  return new RegExp(`^(?:${patterns.join("|")})$`);
}

/**
 * Wrangler asks workerd's inspector for events of each request and response, and writes every message of the inspector
 * into a file. That takes more than a third of the server's processor time. Turns both off; errors are still logged.
 */
function changeInspector(code) {
  return code
    .replace('method: "Network.enable"', 'method: "Network.disable"')
    .replace('this.sendProxyControllerRequest({ type: "debug-log", args });', "");
}

/** Calls `refuse` before wrangler handles a request. */
function changeEntry(code) {
  return code.replace(
    "async fetch(request, env, ctx) {",
    `$& const refused = (${refuse.toString()})(request, ${readExcludedPaths().toString()}); if (refused) return refused;`,
  );
}

/**
 * Forwards a request to the app. The app closes connections that were idle for 5 s, and a request that is sent at that
 * moment is lost. Wrangler would respond to a form with 503, and to any other request only when the next one arrives.
 * Runs in workerd.
 */
async function forward(url, request, headers) {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const body = isRead || request.body === null ? {} : { body: await request.arrayBuffer() };
  for (let retries = 10; ; retries -= 1) {
    try {
      return await fetch(url, new Request(request, { headers, ...body }));
    } catch (error) {
      if (retries === 0 || error.message !== "Network connection lost.") throw error;
      // The other idle connections close meanwhile.
      await scheduler.wait(10);
    }
  }
}

function changeProxy(code) {
  return code.replace(
    "fetch(userWorkerUrl, new Request(request, { headers }))",
    `(${forward.toString()})(userWorkerUrl, request, headers)`,
  );
}

const CHANGES = {
  "InspectorProxyWorker.js": changeInspector,
  "ProxyWorker.js": changeProxy,
  "entry.worker.js": changeEntry,
};
const { readFileSync } = fs;
fs.readFileSync = (path, ...options) => {
  const content = readFileSync(path, ...options);
  const change = CHANGES[nodePath.basename(String(path))];
  if (!change) return content;
  const code = change(String(content));
  return typeof content === "string" ? code : Buffer.from(code);
};
