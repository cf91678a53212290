import type { Mutation } from "./mutation.ts";

const MIDDLEWARE = "functions/_middleware.ts";
const ANSWER_HEADERS = "functions/response-headers.ts";
const PAGE_POLICY = "app/http/security-headers.server.ts";
const MARKDOWN = "app/stories/markdown.server.ts";
const MARKDOWN_LIMITS = "app/stories/markdown-limits.server.ts";
const COOKIE = "app/http/cookie.server.ts";
const SEALED_COOKIE = "app/http/sealed-cookie.server.ts";
const ANSWER_TESTS = ["tests/http/response-headers.test.ts"];
const ADDRESS_TESTS = ["tests/site/addresses.test.ts", "tests/site/pages.test.ts"];
const POLICY_TESTS = ["tests/http/security-headers.test.ts"];
const MARKDOWN_TESTS = ["tests/stories/markdown.test.ts", "tests/stories/markdown-limits.test.ts"];
const COOKIE_TESTS = ["tests/http/cookies.test.ts"];

/** The middleware, the headers, cookies, and Markdown. */
export const HTTP_MUTATIONS: readonly Mutation[] = [
  {
    name: "answers are for one person",
    file: ANSWER_HEADERS,
    original: '"Cache-Control", "private, no-cache"',
    replacement: '"Cache-Control", "no-cache"',
    tests: ANSWER_TESTS,
  },
  {
    name: "what a route says of caching stays",
    file: ANSWER_HEADERS,
    original: "if (!headers.has(name)) headers.set(name, value);",
    replacement: "headers.set(name, value);",
    tests: ANSWER_TESTS,
  },
  {
    name: "the address of a page stays with us",
    file: ANSWER_HEADERS,
    original: '"strict-origin-when-cross-origin"',
    replacement: '"unsafe-url"',
    tests: ANSWER_TESTS,
  },
  {
    name: "the plain session of an earlier release goes with its successor",
    file: ANSWER_HEADERS,
    original: 'name.replace(/^__(?!Host-)/, "")',
    replacement: "name",
    tests: [...ANSWER_TESTS, ...COOKIE_TESTS],
  },
  {
    name: "a form that hides its origin needs the browser's word",
    file: MIDDLEWARE,
    original: '=== "same-origin"',
    replacement: '!== "cross-site"',
    tests: ["tests/http/cross-site.test.ts"],
  },
  {
    name: "a page named by slashes alone leads home",
    file: MIDDLEWARE,
    original: ' && plain !== ""',
    replacement: "",
    tests: ADDRESS_TESTS,
  },
  {
    name: "what a script fetches is a file",
    file: "app/http/page-request.server.ts",
    original: 'mode === "navigate" && ',
    replacement: "",
    tests: ADDRESS_TESTS,
  },
  {
    name: "no page has another base",
    file: PAGE_POLICY,
    original: `    "base-uri": ["'none'"],\n`,
    replacement: "",
    tests: POLICY_TESTS,
  },
  {
    name: "no page has plug-ins",
    file: PAGE_POLICY,
    original: `    "object-src": ["'none'"],\n`,
    replacement: "",
    tests: POLICY_TESTS,
  },
  {
    name: "styles come from files",
    file: PAGE_POLICY,
    original: `["'self'", "'unsafe-inline'"] : ["'self'"]`,
    replacement: `["'self'", "'unsafe-inline'"] : ["'self'", "'unsafe-inline'"]`,
    tests: POLICY_TESTS,
  },
  {
    name: "cookies of https are Secure",
    file: COOKIE,
    original: 'secure: protocol === "https:"',
    replacement: "secure: false",
    tests: COOKIE_TESTS,
  },
  {
    name: "a plain session that was sealed since signs nobody in",
    file: SEALED_COOKIE,
    original: "payload?.iat === undefined ? payload?.value : undefined",
    replacement: "payload?.value",
    tests: COOKIE_TESTS,
  },
  {
    name: "pictures are fetched over https alone",
    file: MARKDOWN,
    original: 'src: ["https"]',
    replacement: 'src: ["http", "https"]',
    tests: MARKDOWN_TESTS,
  },
  {
    name: "a picture does not learn who reads",
    file: MARKDOWN,
    original: '    properties.referrerPolicy = "no-referrer";\n',
    replacement: "",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "quotes count as depth",
    file: MARKDOWN_LIMITS,
    original: "/[-+*>]|\\d+[.)]/g",
    replacement: "/[-+*]|\\d+[.)]/g",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "quotes without blanks count as well",
    file: MARKDOWN_LIMITS,
    original: "(?:[ \\t>]|[-+*]",
    replacement: "(?:[ \\t]|>(?=[ \\t])|[-+*]",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "a line without a quote's sign costs a look back",
    file: MARKDOWN_LIMITS,
    original: " || countQuotes(lead) < countQuotes(before)",
    replacement: "",
    tests: MARKDOWN_TESTS,
  },
  {
    name: "lists go as deep as a hundred",
    file: MARKDOWN_LIMITS,
    original: "Math.floor(blanks.length / 2)",
    replacement: "Math.floor(blanks.length / 4)",
    tests: MARKDOWN_TESTS,
  },
];
