import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";

import { deleteApp, initializeApp } from "firebase/app";
import { connectDatabaseEmulator, getDatabase, goOffline, type Database } from "firebase/database";
import { UnsecuredJWT } from "jose";
import { vi } from "vitest";
import { WebSocket, type ClientOptions } from "ws";

import {
  startDatabase,
  type DatabaseServer,
  type DatabaseServerOptions,
} from "#emulator/database/server.ts";

/** The namespace that the SDK derives from the project id of the test clients. */
export const NAMESPACE = "demo-test-default-rtdb";

/** Rules for tests that are not about rules. */
export const OPEN_RULES = '{"rules": {".read": true, ".write": true}}';

/** Starts a server on a free port, with open rules unless others are given. Dispose of it at the end of the test. */
export function startTestDatabase(
  options: Partial<DatabaseServerOptions> = {},
): Promise<DatabaseServer> {
  return startDatabase({ rules: OPEN_RULES, ...options });
}

/** A separate Firebase app, connected with the official SDK. */
export interface TestClient extends AsyncDisposable {
  readonly db: Database;
}

/** Connects as a user with these claims, as an administrator (`owner`), or signed out. */
export function connectClient(
  server: Pick<DatabaseServer, "host" | "port">,
  uid?: string,
  claims: Record<string, unknown> = {},
): TestClient {
  const app = initializeApp({ projectId: "demo-test", appId: "1:1:web:1" }, randomUUID());
  const db = getDatabase(app);
  connectDatabaseEmulator(
    db,
    server.host,
    server.port,
    uid === undefined ? {} : { mockUserToken: uid === "owner" ? "owner" : { ...claims, sub: uid } },
  );
  return {
    db,
    async [Symbol.asyncDispose]() {
      goOffline(db);
      await deleteApp(app);
    },
  };
}

/** Sends a REST request to the test namespace. */
export function sendRest(
  server: DatabaseServer,
  path: string,
  init: RequestInit = {},
  as: "owner" | "nobody" = "owner",
): Promise<Response> {
  const url = new URL(path, `http://${server.host}:${server.port}`);
  url.searchParams.set("ns", NAMESPACE);
  const headers = new Headers(init.headers);
  if (as === "owner") headers.set("Authorization", "Bearer owner");
  return fetch(url, { ...init, headers });
}

/** Returns an unsigned ID token of the user, as the Auth emulator issues them. */
export function createToken(uid: string, claims: Record<string, unknown> = {}): string {
  const firebase = { sign_in_provider: "password" };
  return new UnsecuredJWT({ sub: uid, iat: 0, firebase, ...claims }).encode();
}

/** A WebSocket without the SDK. */
export interface TestSocket extends Disposable {
  /** Resolves with the next unread message. */
  next(): Promise<unknown>;
  /** Sends strings as they are and everything else as JSON. */
  send(message: unknown): void;
  /** Sends bytes that need not be a valid frame. */
  write(bytes: Uint8Array): void;
  /** Resolves when the server has handled everything sent so far. */
  settled(): Promise<void>;
  /** Reads nothing more from the connection. */
  pause(): void;
  resume(): void;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** Resolves with the first ping. */
  readonly pinged: Promise<void>;
  close(): void;
  /** Breaks the connection without a closing handshake. */
  terminate(): void;
}

/** Opens a socket. Its first message is the handshake. */
export function openSocket(
  server: DatabaseServer,
  url = `/.ws?v=5&ns=${NAMESPACE}`,
  options: ClientOptions = {},
): Promise<TestSocket> {
  const socket = new WebSocket(`ws://${server.host}:${server.port}${url}`, options);
  const arrived: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.on("message", (data: Buffer) => {
    const message: unknown = JSON.parse(data.toString());
    const resolve = waiting.shift();
    if (resolve) resolve(message);
    else arrived.push(message);
  });
  const closed = new Promise<number>((resolve) => void socket.on("close", resolve));
  let connection: Writable | undefined;
  socket.on("upgrade", (response) => (connection = response.socket));

  const pinged = new Promise<void>((resolve) => void socket.on("ping", () => resolve()));

  const testSocket: TestSocket = {
    closed,
    pinged,
    next: () =>
      new Promise((resolve) => {
        if (arrived.length > 0) resolve(arrived.shift());
        else waiting.push(resolve);
      }),
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    write: (bytes) => connection?.write(bytes),
    settled: () =>
      new Promise((resolve) => {
        socket.once("pong", () => resolve());
        socket.ping();
      }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.close(1000),
    terminate: () => socket.terminate(),
    [Symbol.dispose]: () => socket.terminate(),
  };
  return new Promise((resolve, reject) => {
    socket.on("open", () => resolve(testSocket));
    socket.on("error", reject);
  });
}

/** Collects the SDK's warnings instead of printing them. */
export function collectWarnings(): Disposable & { readonly texts: string[] } {
  const texts: string[] = [];
  const spy = vi.spyOn(console, "warn").mockImplementation((...parts: unknown[]) => {
    texts.push(parts.join(" "));
  });
  return { texts, [Symbol.dispose]: () => spy.mockRestore() };
}

/** A reproducible source of test data. */
export interface Random {
  pick<Item>(items: readonly Item[]): Item;
}

/** Returns the same sequence for the same seed. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
export function createRandom(seed: number): Random {
  let state = seed;
  return {
    pick(items) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const item = items[Math.floor((state / 2 ** 32) * items.length)];
      if (item === undefined) throw new RangeError("There is nothing to pick from");
      return item;
    },
  };
}

/** Returns data in export form, with keys, values and priorities of every kind. Sometimes empty, never `null`. */
export function createRandomTree(random: Random, levels: number): unknown {
  const priority = random.pick([[], [], [1], [-2.5], ["a"], ["b"]]);
  const withPriority = priority.length === 0 ? {} : { ".priority": priority[0] };
  if (levels === 0 || random.pick([false, false, false, true])) {
    const value = random.pick([
      0,
      1,
      2,
      -0.1,
      1.5e300,
      1_700_000_000_000,
      "",
      "a",
      "é😀",
      true,
      false,
    ]);
    return { ".value": value, ...withPriority };
  }
  const keys = ["1", "2", "10", "01", "-3", "a", "b", "B", "ü", "constructor"].filter(() =>
    random.pick([true, false]),
  );
  const children = keys.map((key) => [key, createRandomTree(random, levels - 1)] as const);
  return { ...Object.fromEntries(children), ...withPriority };
}
