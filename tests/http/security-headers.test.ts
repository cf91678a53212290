import { afterEach, expect, test, vi } from "vitest";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { setFrameHeaders, setSecurityHeaders } from "#app/http/page-headers.server.ts";

const FIREBASE = {
  apiKey: "key",
  projectId: "inkglade",
  appId: undefined,
  databaseURL: "https://inkglade.firebaseio.com",
  emulators: {},
} satisfies FirebaseConfig;

function readPolicy(options: Partial<Parameters<typeof setSecurityHeaders>[1]> = {}) {
  const headers = new Headers();
  const page = { nonce: "n", firebase: null, google: null, isCounted: false, ...options };
  setSecurityHeaders(headers, page);
  const directives = (headers.get("Content-Security-Policy") ?? "").split("; ");
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

afterEach(() => vi.unstubAllEnvs());

test("a page may load and do only what it needs", () => {
  vi.stubEnv("DEV", false);

  expect(readPolicy()).toEqual({
    "default-src": ["'self'"],
    "script-src": ["'self'", "'nonce-n'"],
    "style-src": ["'self'"],
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "https:", "data:"],
    "connect-src": ["'self'"],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
});

test("a page may connect to Firebase's hosts, or to the emulators instead", () => {
  const emulators = { auth: "127.0.0.1:1", firestore: "127.0.0.1:2", database: "127.0.0.1:3" };

  expect(readPolicy({ firebase: FIREBASE })["connect-src"]).toEqual([
    "'self'",
    "https://identitytoolkit.googleapis.com",
    "https://securetoken.googleapis.com",
    "https://firestore.googleapis.com",
    "https://*.firebaseio.com",
    "wss://*.firebaseio.com",
    "https://*.firebasedatabase.app",
    "wss://*.firebasedatabase.app",
  ]);
  expect(readPolicy({ firebase: { ...FIREBASE, emulators } })["connect-src"]).toEqual([
    "'self'",
    "http://127.0.0.1:1",
    "ws://127.0.0.1:1",
    "http://127.0.0.1:2",
    "ws://127.0.0.1:2",
    "http://127.0.0.1:3",
    "ws://127.0.0.1:3",
  ]);
});

test("a page isolates its window, except from sign-in pop-ups, and allows no device access", () => {
  const headers = new Headers();

  setSecurityHeaders(headers, { nonce: "n", firebase: null, google: null, isCounted: false });

  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin-allow-popups");
  expect(headers.get("Permissions-Policy")).toBe(
    "camera=(), geolocation=(), microphone=(), payment=()",
  );
});

test("a page for a frame runs no scripts, and only our own pages may show it", () => {
  vi.stubEnv("DEV", false);
  const headers = new Headers();

  setFrameHeaders(headers);

  expect(headers.get("Content-Security-Policy")).toBe(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' https: data:; object-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  );
  expect(headers.get("Cache-Control")).toBe("private, no-store, no-transform");
});
