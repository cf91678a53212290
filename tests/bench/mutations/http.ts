import type { Mutation } from "./mutation.ts";

const MIDDLEWARE = "functions/_middleware.ts";
const RESPONSE_HEADERS = "functions/response-headers.ts";
const CONTENT_SECURITY_POLICY = "app/http/security-headers.server.ts";
const COOKIE = "app/http/cookie.server.ts";
const HEADER_TESTS = ["tests/http/response-headers.test.ts"];
const ADDRESS_TESTS = ["tests/site/addresses.test.ts", "tests/site/pages.test.ts"];
const POLICY_TESTS = ["tests/http/security-headers.test.ts"];
const COOKIE_TESTS = ["tests/http/cookies.test.ts"];
const BREAKER = "app/http/circuit-breaker.server.ts";
const BREAKER_TESTS = ["tests/http/circuit-breaker.test.ts"];
const CALLS = "app/http/outgoing-calls.server.ts";
const CALL_TESTS = ["tests/http/outgoing-calls.test.ts"];

const PAGE_CACHE_TESTS = [
  "tests/deploy/page-cache.test.ts",
  "tests/deploy/page-cache-outage.test.ts",
];

/** The middleware, response headers, cookies, and what the edge stores. */
export const HTTP_MUTATIONS: readonly Mutation[] = [
  {
    name: "responses are private",
    file: RESPONSE_HEADERS,
    original: '"Cache-Control", "private, no-cache"',
    replacement: '"Cache-Control", "no-cache"',
    tests: HEADER_TESTS,
  },
  {
    name: "keeps the cache headers of a route",
    file: RESPONSE_HEADERS,
    original: "if (!headers.has(name)) headers.set(name, value);",
    replacement: "headers.set(name, value);",
    tests: HEADER_TESTS,
  },
  {
    name: "does not send the page's URL to other sites",
    file: RESPONSE_HEADERS,
    original: '"strict-origin-when-cross-origin"',
    replacement: '"unsafe-url"',
    tests: HEADER_TESTS,
  },
  {
    name: "a form without an origin needs Sec-Fetch-Site: same-origin",
    file: MIDDLEWARE,
    original: '=== "same-origin"',
    replacement: '!== "cross-site"',
    tests: ["tests/http/cross-site.test.ts"],
  },
  {
    name: "redirects a path of slashes to the home page",
    file: MIDDLEWARE,
    original: ' && normalized !== ""',
    replacement: "",
    tests: ADDRESS_TESTS,
  },
  {
    name: "treats a script's fetch as a request for a file",
    file: "app/http/page-request.server.ts",
    original: 'mode === "navigate" && ',
    replacement: "",
    tests: ADDRESS_TESTS,
  },
  {
    name: "forbids <base>",
    file: CONTENT_SECURITY_POLICY,
    original: `    "base-uri": ["'none'"],\n`,
    replacement: "",
    tests: POLICY_TESTS,
  },
  {
    name: "forbids plug-ins",
    file: CONTENT_SECURITY_POLICY,
    original: `    "object-src": ["'none'"],\n`,
    replacement: "",
    tests: POLICY_TESTS,
  },
  {
    name: "forbids inline styles",
    file: CONTENT_SECURITY_POLICY,
    original: `["'self'", "'unsafe-inline'"] : ["'self'"]`,
    replacement: `["'self'", "'unsafe-inline'"] : ["'self'", "'unsafe-inline'"]`,
    tests: POLICY_TESTS,
  },
  {
    name: "sets Secure on cookies over https",
    file: COOKIE,
    original: 'secure: protocol === "https:"',
    replacement: "secure: false",
    tests: COOKIE_TESTS,
  },
  {
    name: "only one call tries a service that does not respond",
    file: BREAKER,
    original: "if (now() < retryAt) return false;\n      retryAt = now() + PAUSE_MS;",
    replacement: "if (now() < retryAt) return false;",
    tests: BREAKER_TESTS,
  },
  {
    name: "ignores failed calls from before the last response",
    file: BREAKER,
    original: "if (startedAt < respondedAt) return;",
    replacement: "",
    tests: BREAKER_TESTS,
  },
  {
    name: "a call gets only the time that its page has left",
    file: CALLS,
    original: "Math.min(timeoutMs, request.endsAt - Date.now())",
    replacement: "timeoutMs",
    tests: CALL_TESTS,
  },
  {
    name: "an action waits two seconds for a read",
    file: CALLS,
    original: "isRead ? Math.min(leftMs, READ_TIMEOUT_MS) : leftMs",
    replacement: "leftMs",
    tests: CALL_TESTS,
  },
  {
    name: "the page after an action does not call a service that did not respond",
    file: CALLS,
    original: "!request.silent.has(breaker) && ",
    replacement: "",
    tests: CALL_TESTS,
  },
  {
    name: "a store that never responds delays no page",
    file: "functions/maintenance-switch.ts",
    original: "await resolveWithin(reading, TIMEOUT_MS)",
    replacement: "await reading",
    tests: ["tests/site/maintenance.test.ts"],
  },
  {
    name: "the page of a saved story is for its browser only",
    file: "app/visitor-request.server.ts",
    original: "getDeviceSaved(request).some((story) => story.id === id)",
    replacement: "false",
    tests: ["tests/site/visitor-lists.test.ts"],
  },
  {
    name: "a response closes the breaker for all",
    file: CALLS,
    original: "breaker.recordResponse();\n",
    replacement: "",
    tests: CALL_TESTS,
  },
  {
    name: "renders a page once for all visitors who wait for it",
    file: "functions/page-cache/with-page-cache.ts",
    original: "Date.now() - entry.startedAt < RENDER_TIMEOUT_MS ? entry : undefined",
    replacement: "undefined",
    tests: ["tests/deploy/page-cache-load.test.ts"],
  },
  {
    name: "renders a page of more than two minutes before it is served",
    file: "functions/page-cache/with-page-cache.ts",
    original: "age < STALE_MS",
    replacement: "age < MAX_AGE_MS",
    tests: PAGE_CACHE_TESTS,
  },
  {
    name: "lists that were read before a change of the same browser are not used",
    file: "app/stories/published.server.ts",
    original: "Math.max(getChangedAt(), clearedAt)",
    replacement: "clearedAt",
    tests: PAGE_CACHE_TESTS,
  },
  {
    name: "HTML depends on whether the user sent the message",
    file: "app/chat/panel/message-list.tsx",
    original: "readQuote(message.text) ? undefined : props",
    replacement: "readQuote(message.text) ? undefined : { ...props, isOwn: false }",
    tests: ["tests/http/html-cache.test.tsx"],
  },
  {
    name: "deletes the HTML that was not used the longest",
    file: "app/http/html-cache.server.ts",
    original: "if (length <= maxLength) return;",
    replacement: "if (length >= 0) return;",
    tests: ["tests/http/html-cache.test.tsx"],
  },
];
