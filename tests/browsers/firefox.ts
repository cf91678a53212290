import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { WebSocket } from "ws";
import * as z from "zod";

import { startChild } from "#emulator/child.ts";
import type { Browser, BrowserWindow } from "./browser.ts";

const ADDRESS = /WebDriver BiDi listening on (ws:\S+)/;

const messageSchema = z.object({
  id: z.int().nullish(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});
const userContextSchema = z.object({ userContext: z.string() });
const contextSchema = z.object({ context: z.string() });
const evaluatedSchema = z.object({ result: z.object({ value: z.unknown() }) });

/** Returns Firefox, which shows no window and speaks WebDriver BiDi itself. All windows with scripts share a process. */
export function createFirefox(program: string): Browser {
  const started: Promise<Process>[] = [];
  const start = (hasScripts: boolean) => {
    const process = startFirefox(program, hasScripts);
    started.push(process);
    return process;
  };
  let shared: Promise<Process> | undefined;
  return {
    async openWindow({ hasScripts = true } = {}) {
      const process = await (hasScripts ? (shared ??= start(true)) : start(false));
      return await openWindow(process);
    },
    async [Symbol.asyncDispose]() {
      for (const process of started) await (await process).stop();
    },
  };
}

interface Process {
  send: (method: string, params: object) => Promise<unknown>;
  stop: () => Promise<void>;
}

async function startFirefox(program: string, hasScripts: boolean): Promise<Process> {
  const profile = await mkdtemp(join(tmpdir(), "firefox-"));
  const preferences = {
    "javascript.enabled": hasScripts,
    // A mouse: fine and with hover. Without a window, Firefox has no pointer.
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`,
  );
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  const output: string[] = [];
  let onAddress: (url: string) => void = () => {};
  const address = new Promise<string>((resolve) => (onAddress = resolve));
  const read = (line: string) => {
    output.push(line);
    const [, url] = ADDRESS.exec(line) ?? [];
    if (url) onAddress(url);
  };
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = startChild(program, args, { onOutput: read, onError: read });
  const ended = child.exited.then(() => {
    throw new Error(`Firefox ended:\n${output.join("\n")}`);
  });
  // Every Firefox ends when it is stopped.
  ended.catch(() => undefined);
  const connection = await connect(`${await Promise.race([address, ended])}/session`);
  await connection.send("session.new", {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: "accept" } } },
  });
  return {
    send: connection.send,
    async stop() {
      connection.close();
      await child.stop();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function openWindow({ send }: Process): Promise<BrowserWindow> {
  const { userContext } = userContextSchema.parse(await send("browser.createUserContext", {}));
  const created = await send("browsingContext.create", { type: "window", userContext });
  const { context } = contextSchema.parse(created);
  return {
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async reload() {
      await send("browsingContext.reload", { context, wait: "complete" });
    },
    async back() {
      await send("browsingContext.traverseHistory", { context, delta: -1 });
    },
    async evaluate(expression) {
      const target = { context };
      const evaluated = await send("script.evaluate", { expression, target, awaitPromise: true });
      return evaluatedSchema.parse(evaluated).result.value;
    },
    async perform(actions) {
      await send("input.performActions", { context, actions });
    },
    async resize(viewport) {
      await send("browsingContext.setViewport", { context, viewport });
    },
    async [Symbol.asyncDispose]() {
      // Leaves the page, whose scripts could no longer use the storage.
      await send("browsingContext.navigate", { context, url: "about:blank", wait: "complete" });
      await send("browser.removeUserContext", { userContext });
    },
  };
}

interface Connection {
  send: (method: string, params: object) => Promise<unknown>;
  close: () => void;
}

async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (message: z.infer<typeof messageSchema>) => void>();
  let lastId = 0;
  socket.on("message", (data) => {
    // `ws` gives a text as a buffer.
    const message = messageSchema.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : ""));
    if (message.id != null) waiting.get(message.id)?.(message);
  });
  await once(socket, "open");
  return {
    send(method, params) {
      lastId += 1;
      const id = lastId;
      const response = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, ({ error, message, result }) => {
          waiting.delete(id);
          if (error === undefined) resolve(result);
          else reject(new Error(`${method}: ${error}: ${message}`));
        });
      });
      socket.send(JSON.stringify({ id, method, params }));
      return response;
    },
    close: () => socket.terminate(),
  };
}
