import { base64url } from "jose";

import type { PageValues } from "#app/load-context.ts";
import { hash } from "./hash.server.ts";

/** The hosts that the Firebase SDK connects to in production. A database may move to another host of these domains. */
const FIREBASE_HOSTS = {
  auth: ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"],
  firestore: ["https://firestore.googleapis.com"],
  database: [
    "https://*.firebaseio.com",
    "wss://*.firebaseio.com",
    "https://*.firebasedatabase.app",
    "wss://*.firebasedatabase.app",
  ],
};

/** The `host:port` of each emulator in use. */
interface FirebaseHosts {
  emulators: Partial<Record<keyof typeof FIREBASE_HOSTS, string | undefined>>;
}

/** The hosts that Firebase Analytics loads its script and settings from, and sends events to. */
const ANALYTICS_HOSTS = {
  script: ["https://www.googletagmanager.com"],
  connect: [
    "https://*.google-analytics.com",
    "https://firebase.googleapis.com",
    "https://firebaseinstallations.googleapis.com",
    "https://www.googletagmanager.com",
  ],
};

/** The length of an ETag: the first half of a SHA-256 digest. */
const TAG_BYTES = 16;

/** Time zone offsets are multiples of 15 minutes, so dates on a page change only at the start of a quarter-hour. */
const QUARTER_MS = 15 * 60_000;

/**
 * Sets the security headers of a page: scripts only with this response's nonce, connections only to this site and
 * Firebase, no framing. functions/response-headers.ts adds the headers that every response has.
 *
 * @param firebase `null` for a page that does not use Firebase
 * @param google the origin that sign-in forms redirect to, or `null`
 * @param isCounted whether Firebase Analytics may run on the page
 * @see https://www.w3.org/TR/CSP3/
 */
export function setSecurityHeaders(
  headers: Headers,
  {
    nonce,
    firebase,
    google,
    isCounted,
  }: {
    nonce: string;
    firebase: FirebaseHosts | null;
    google: string | null;
    isCounted: boolean;
  },
): void {
  const analytics = isCounted ? ANALYTICS_HOSTS : { script: [], connect: [] };
  const policy = {
    "default-src": ["'self'"],
    "script-src": ["'self'", `'nonce-${nonce}'`, ...analytics.script],
    // Vite's development server replaces styles in the page.
    "style-src": import.meta.env.DEV ? ["'self'", "'unsafe-inline'"] : ["'self'"],
    // React writes style attributes. They cannot run scripts.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "https:", "data:"],
    "connect-src": [
      "'self'",
      ...(firebase ? getFirebaseSources(firebase) : []),
      ...analytics.connect,
    ],
    "manifest-src": ["'self'"],
    // Without it, the sources of scripts would apply.
    "worker-src": ["'self'"],
    // Also applies to the redirects of forms.
    "form-action": ["'self'", ...(google ? [google] : [])],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  headers.set(
    "Content-Security-Policy",
    Object.entries(policy)
      .map(([directive, sources]) => [directive, ...sources].join(" "))
      .join("; "),
  );
  // "same-origin" would disconnect the sign-in pop-up.
  headers.set("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
}

/**
 * Sets the headers of a page that our own pages show in a frame: no scripts, and nothing but images from other sites. The
 * page is not compressed, because compression would delay the parts of its stream.
 */
export function setFrameHeaders(headers: Headers): void {
  const policy = [
    "default-src 'none'",
    // Vite's development server replaces styles in the page.
    `style-src 'self'${import.meta.env.DEV ? " 'unsafe-inline'" : ""}`,
    "font-src 'self'",
    "img-src 'self' https: data:",
    "object-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "private, no-store, no-transform");
  headers.set("Content-Encoding", "identity");
  headers.set("Content-Security-Policy", policy.join("; "));
}

/** What a page is rendered from. */
export interface PageSource {
  buildId: string;
  url: string;
  /** As sent to the browser. */
  loaderData: string;
  /** HTML from loaders, which is not in their data. */
  html: readonly string[];
}

/**
 * Returns a page's ETag before the page is rendered. It is a weak ETag, because it ignores the values that differ in
 * each response.
 */
export async function createEtag(
  { buildId, url, loaderData, html }: PageSource,
  { messageId, now }: Partial<PageValues>,
): Promise<string> {
  const quarter = now === undefined ? "" : String(now - (now % QUARTER_MS));
  // A UUID and a number, so the pattern needs no escapes.
  const changing = [messageId, now].filter((value) => value !== undefined).join("|");
  const data = changing
    ? loaderData.replace(new RegExp(changing, "g"), (value) => (value === messageId ? "" : quarter))
    : loaderData;
  const digest = await hash([buildId, url, data, ...html].join("\0"));
  return `W/"${base64url.encode(digest.subarray(0, TAG_BYTES))}"`;
}

function getFirebaseSources({ emulators }: FirebaseHosts): string[] {
  return (["auth", "firestore", "database"] as const).flatMap((service) => {
    const emulator = emulators[service];
    return emulator ? [`http://${emulator}`, `ws://${emulator}`] : FIREBASE_HOSTS[service];
  });
}
