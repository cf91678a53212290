import { setTimeout as delay } from "node:timers/promises";

import * as z from "zod";

import { startChild, type Child } from "#emulator/child.ts";
import { findFreePort, LOOPBACK } from "#emulator/ports.ts";
import type { Browser, BrowserWindow, WindowOptions } from "./browser.ts";

const responseSchema = z.object({ value: z.unknown() });
const sessionSchema = z.object({ sessionId: z.string() });

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** The browser that comes with WebKitGTK. */
export interface WebKitPrograms {
  driver: string;
  miniBrowser: string;
}

/** Returns WebKitGTK. Each window is a browser with a driver, which has one session at a time. */
export function createWebKit(programs: WebKitPrograms): Browser {
  return {
    openWindow: (options) => openWindow(programs, options),
    async [Symbol.asyncDispose]() {},
  };
}

async function openWindow(
  { driver, miniBrowser }: WebKitPrograms,
  { hasScripts = true }: WindowOptions = {},
): Promise<BrowserWindow> {
  const port = await findFreePort();
  const child = startChild(driver, [`--host=${LOOPBACK}`, `--port=${port}`]);
  const root = `http://${LOOPBACK}:${port}`;
  await waitForDriver(`${root}/status`, child);
  const args = ["--automation", ...(hasScripts ? [] : ["--enable-javascript=false"])];
  const capabilities = {
    alwaysMatch: {
      "webkitgtk:browserOptions": { binary: miniBrowser, args },
      unhandledPromptBehavior: "accept",
    },
  };
  const created = await send("POST", `${root}/session`, { capabilities });
  const session = `${root}/session/${sessionSchema.parse(created).sessionId}`;
  const post = (command: string, body: object = {}) => send("POST", `${session}/${command}`, body);
  await post("timeouts", { script: 15_000 });

  return {
    open: async (url) => void (await post("url", { url })),
    reload: async () => void (await post("refresh")),
    back: async () => void (await post("back")),
    evaluate: (expression) => post("execute/sync", { script: `return ${expression}`, args: [] }),
    perform: async (actions) => void (await post("actions", { actions })),
    resize: async (size) => void (await post("window/rect", size)),
    async [Symbol.asyncDispose]() {
      await send("DELETE", session).catch(() => undefined);
      await child.stop();
    },
  };
}

async function waitForDriver(url: string, child: Child): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error("WebKitWebDriver does not start");
}

async function send(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${text}`);
  return responseSchema.parse(JSON.parse(text)).value;
}
