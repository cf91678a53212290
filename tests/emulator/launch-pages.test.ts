import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { startPages, type PagesOptions } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";

/** Just before workerd closes connections without a request. */
const IDLE_MS = 4950;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe("with an app that responds", () => {
  // Quotation marks, line breaks, and characters that start a comment or a variable in other formats.
  const variables = {
    FIRST: `a'b"c`,
    SECOND: "line 1\nline 2",
    THIRD: String.raw`# $HOME \n`,
  };
  let url = "";
  let errors: string[] = [];
  let firstErrors: string[] = [];
  let leftFolder = "";
  let ownFolder = "";

  beforeAll(async () => {
    leftFolder = await mkdtemp(join(tmpdir(), `inkglade-pages-${await findEndedProcess()}-`));
    ownFolder = await mkdtemp(join(tmpdir(), `inkglade-pages-${process.ppid}-`));
    const app = await createBuild(
      `({ request, env, waitUntil }) => {
        if (request.url.endsWith("/env")) return Response.json(env);
        if (request.url.endsWith("/log")) console.error("this went wrong");
        if (request.url.endsWith("/fail")) waitUntil(Promise.reject(new Error("nobody caught this")));
        return new Response("ok");
      }`,
      // Remix's server build imports libraries that it does not use, and the bundler warns about each.
      'import "@remix-run/react";',
    );
    ({ errors } = app);
    // With `onRequest`, wrangler prints warnings.
    const pages = await app.serve(variables, { onRequest: () => {} });
    ({ url } = pages);
    firstErrors = [...errors];
    return async () => {
      await pages[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      await rm(ownFolder, { recursive: true });
    };
  });

  beforeEach(() => void errors.splice(0));

  test("passes exactly the given variables to the app", async () => {
    const env: unknown = await (await fetch(`${url}/env`)).json();

    expect(env).toMatchObject(variables);
    expect(env).not.toHaveProperty("SESSION_SECRET");
  });

  test("reports the app's errors line by line", async () => {
    await fetch(`${url}/log`);

    await expect.poll(() => errors).toEqual(["this went wrong"]);
  });

  test("reports errors that the app does not catch", async () => {
    await fetch(`${url}/fail`);

    await expect.poll(() => errors.join("\n")).toContain("Uncaught Error: nobody caught this");
  });

  test.each([
    ["POST", "/assets/none.js", 405],
    ["PUT", "/assets/none.js", 405],
    ["DELETE", "/favicon.svg", 405],
    ["TRACE", "/assets/none.js", 405],
    ["TRACE", "//x", 405],
    ["TRACE", "/page", 405],
    ["GET", "/assets/none.js", 404],
    ["POST", "/page", 200],
  ])("responds at once to %s %s: %i", async (method, path, status) => {
    expect(await send({ method, path })).toBe(status);
  });

  test.each(["[::1", "localhost:99999"])("responds with 400 to the host %j", async (host) => {
    expect(await send({ method: "GET", path: "/page", headers: { Host: host } })).toBe(400);
  });

  /** Sends a request, with a streamed body if it is a POST or a PUT, and returns the status. The server has a second. */
  async function send(options: RequestOptions): Promise<number | undefined> {
    const sent = request(url, { ...options, agent: false, signal: AbortSignal.timeout(1000) });
    if (/^P/.test(options.method ?? "")) sent.write("a body of unknown length");
    sent.end();
    const [response]: IncomingMessage[] = await once(sent, "response");
    response?.resume();
    return response?.statusCode;
  }

  test("loses no form that is sent when the app closes an idle connection", async () => {
    const post = async () => {
      const { status } = await fetch(`${url}/form`, { method: "POST", body: "words" });
      return status;
    };
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const first = await post();
        await delay(IDLE_MS + index);
        return [first, await post()];
      }),
    );

    expect(statuses.flat().filter((status) => status !== 200)).toEqual([]);
  });

  test("does not report the bundler's warnings as errors of the app", () => {
    expect(firstErrors).toEqual([]);
  });

  test("removes the folders of an earlier launcher that was killed", async () => {
    await expect(access(leftFolder)).rejects.toThrow("ENOENT");
    await access(ownFolder);
  });
});

test("does not serve an app whose first response is an error, and shows what it logged", async () => {
  await using app = await createBuild(
    `() => { console.error("SESSION_SECRET is missing"); return new Response("sorry", { status: 500 }); }`,
  );

  await expect(app.serve({})).rejects.toThrow(
    /^The app responded with 500 to the first request\.[^]+SESSION_SECRET is missing/,
  );
});

test("detects an app that hangs", async () => {
  await using app = await createBuild(
    `({ request }) => { while (request.url.endsWith("/hang")) {} return new Response("ok"); }`,
  );
  await using pages = await app.serve({}, { silenceTimeoutMs: 1500 });

  const hanging = fetch(`${pages.url}/hang`).catch(() => undefined);

  expect((await pages.died).message).toBe("The app's server no longer responds.");
  await pages[Symbol.asyncDispose]();
  await hanging;
});

test("fails with one sentence when the port is in use", async () => {
  await using app = await createBuild(`() => new Response("ok")`);
  const other = createServer().listen(app.port, "127.0.0.1");
  await once(other, "listening");

  await expect(app.serve({})).rejects.toThrow(
    `Port ${app.port} is already in use, so the app cannot start. Stop what uses it, or choose another: PORT=${app.port + 1} npm start.`,
  );
  other.close();
});

test("fails with one sentence when there is no build", async () => {
  await using app = await createBuild(`() => new Response("ok")`);
  await rm(join(app.folder, "build"), { recursive: true });

  await expect(app.serve({})).rejects.toThrow("Run `npm run build` first.");
});

/** Creates a build of an app with a single function. */
async function createBuild(handler: string, imports = "") {
  const folder = await mkdtemp(join(tmpdir(), "pages-test-"));
  await mkdir(join(folder, "functions"));
  await mkdir(join(folder, "build/server"), { recursive: true });
  await mkdir(join(folder, "build/client"));
  await cp("wrangler.toml", join(folder, "wrangler.toml"));
  await cp("package.json", join(folder, "package.json"));
  await cp("public/_routes.json", join(folder, "build/client/_routes.json"));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "build/server/index.js"), "");
  const code = `${imports}\nexport const onRequest = ${handler};`;
  await writeFile(join(folder, "functions/[[path]].ts"), code);
  const port = await findFreePort();
  const errors: string[] = [];
  return {
    folder,
    port,
    errors,
    serve: (
      variables: Record<string, string>,
      options: Pick<PagesOptions, "onRequest" | "silenceTimeoutMs"> = {},
    ) =>
      startPages({
        root: folder,
        port,
        variables,
        onError: (line) => errors.push(line),
        ...options,
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function findEndedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"]);
  await once(child, "close");
  return child.pid ?? 0;
}
