/** Where the Firebase SDK connects to in production. Databases move between hosts of these two domains. */
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

/** Where Firebase Analytics gets its script and its settings, and sends what it counts. */
const ANALYTICS_HOSTS = {
  script: ["https://www.googletagmanager.com"],
  connect: [
    "https://*.google-analytics.com",
    "https://firebase.googleapis.com",
    "https://firebaseinstallations.googleapis.com",
    "https://www.googletagmanager.com",
  ],
};

/**
 * Sets the headers that keep a page to what it should do: scripts only with this response's nonce,
 * connections only to ourselves and Firebase, no framing. What every answer needs besides, functions/response-headers.ts
 * adds.
 *
 * @param firebase `null` on a page that cannot reach Firebase anyway
 * @param google where forms may lead to sign in; `null` where that is not offered
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
    // Vite's development server keeps styles in the page to change them while it stands.
    "style-src": import.meta.env.DEV ? ["'self'", "'unsafe-inline'"] : ["'self'"],
    // React writes style attributes, which can move a box but run nothing.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "https:", "data:"],
    "connect-src": [
      "'self'",
      ...(firebase ? getFirebaseSources(firebase) : []),
      ...analytics.connect,
    ],
    // Browsers follow a form's redirects by this list.
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
  // "same-origin" alone would cut the line to a sign-in pop-up.
  headers.set("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
}

function getFirebaseSources({ emulators }: FirebaseHosts): string[] {
  return (["auth", "firestore", "database"] as const).flatMap((service) => {
    const emulator = emulators[service];
    return emulator ? [`http://${emulator}`, `ws://${emulator}`] : FIREBASE_HOSTS[service];
  });
}
