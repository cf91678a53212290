import * as fc from "fast-check";

import routeConfig from "#app/routes.ts";
import { FORMS, KNOWN_VALUES, MARKUP, STORY_ID, STRANGE_NAMES } from "./strange-values.ts";

/** A request as data, so that a failing one can be printed and sent again. */
export interface StrangeRequest {
  method: string;
  /** Including the query. */
  path: string;
  headers: Record<string, string>;
  /** Names of cookies in the `jar` of `toRequest`, or whole cookies as `name=value`. */
  cookies: string[];
  body: StrangeBody | null;
}

type Field = readonly [name: string, value: string];
type StrangeBody =
  | { kind: "form" | "parts" | "parts with files"; fields: readonly Field[] }
  | { kind: "raw"; type: string; text: string };

const NAMES = [...new Set([...Object.values(FORMS).flat(), ...KNOWN_VALUES.keys()])];

const strangeValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...MARKUP) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom("", " ", "\0", "..", "%00", "null", "[]", "{}", "__x__", "\r\nX: y"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("a".repeat(30_000), "\u6F22".repeat(5000), "<".repeat(9000)),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

function getValueArbitrary(name: string): fc.Arbitrary<string> {
  const knownValues = KNOWN_VALUES.get(name);
  if (!knownValues) return strangeValue;
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...knownValues) },
    { weight: 2, arbitrary: strangeValue },
  );
}

function getFieldArbitrary(names: readonly string[]): fc.Arbitrary<Field> {
  return fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(name), getValueArbitrary(name)));
}

const anyField = getFieldArbitrary([...NAMES, ...STRANGE_NAMES]);

/** Returns all or most fields of a form, and sometimes fields of other forms. */
function getFieldsArbitrary(names: readonly string[]): fc.Arbitrary<Field[]> {
  const own = names.map((name) => fc.tuple(fc.constant(name), getValueArbitrary(name)));
  const all = own.length > 0 ? fc.tuple(...own) : fc.constant([]);
  return fc
    .tuple(all, fc.array(anyField, { maxLength: 3 }), fc.boolean(), fc.infiniteStream(fc.nat(9)))
    .map(([fields, more, isWhole, digits]) => {
      const kept = isWhole ? fields : fields.filter(() => digits.next().value !== 0);
      return [...kept, ...more];
    });
}

/** Created once, because fast-check takes longer to create these arbitraries than values of them. */
const rawBody: fc.Arbitrary<StrangeBody> = fc.record({
  kind: fc.constant("raw" as const),
  type: fc.constantFrom(
    "application/json",
    "text/plain",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    'multipart/form-data; boundary=""',
    "application/x-www-form-urlencoded; charset=utf-16",
    "",
  ),
  text: fc.oneof(
    fc.json(),
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom("&".repeat(3000), "a=1&".repeat(3000), "--x\r\n".repeat(3000), "%", "=%ff"),
    fc.constant('--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n1\r\n--x--\r\n'),
  ),
});

function createBody(names: readonly string[]): fc.Arbitrary<StrangeBody | null> {
  const kinds = fc.constantFrom("form", "form", "form", "parts", "parts with files");
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(kinds, getFieldsArbitrary(names))
        .map(([kind, fields]): StrangeBody => ({ kind, fields })),
    },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: rawBody },
  );
}

const query = fc
  .array(getFieldArbitrary([...KNOWN_VALUES.keys(), ...STRANGE_NAMES]), { maxLength: 4 })
  .map((fields) => new URLSearchParams(fields.map(([name, value]) => [name, value.slice(0, 400)])))
  .map(String);

const segment = fc.oneof(
  fc.constantFrom("the-lamplighters-orchard", STORY_ID, "none", "..", "%2f", "%00", "%", "%ff"),
  strangeValue.map((value) => encodeURIComponent(value.toWellFormed().slice(0, 1500))),
);

/** Every route of the app, with its parameters filled in. */
const routePath = fc
  .constantFrom(...routeConfig.map(({ path = "" }) => path))
  .chain((path) =>
    segment.map((name) => `/${path.replace(/:\w+/, () => name).replace("*", () => name)}`),
  );

const oddPath = fc.oneof(
  fc.constantFrom(
    ...["/__manifest", "/_root.data", "/.data", "//", "//evil.example", "//evil.example/"],
    ...["/home//", "/HOME", "/quest/x", "/favicon.svg", "/assets/none.js", "/read", "/read/"],
    ...["/%2f%2fevil.example/", "/.env", `/${"a/".repeat(1500)}`],
  ),
  segment.map((name) => `/${name}`),
);

const headers = fc
  .record(
    {
      Accept: fc.constantFrom("text/html", "*/*", "image/png", ...MARKUP),
      "Accept-Language": fc.constantFrom(
        "de",
        "x-y-z",
        "en-US-u-nu-thai",
        "a".repeat(500),
        ...MARKUP,
      ),
      "Accept-Encoding": fc.constantFrom("gzip", "nonsense"),
      "If-None-Match": fc.constant("*"),
      Range: fc.constant("bytes=0-1"),
      Referer: fc.constantFrom("https://evil.example/", ...MARKUP),
      "Sec-Fetch-Dest": fc.constantFrom("document", "empty", "image"),
      "Sec-GPC": fc.constant("1"),
      "User-Agent": fc.constantFrom("Googlebot", "a".repeat(2000), ...MARKUP),
      "X-Forwarded-Host": fc.constantFrom("evil.example", "", ...MARKUP),
      "X-Forwarded-Proto": fc.constant("http"),
      "X-HTTP-Method-Override": fc.constant("DELETE"),
      "X-Remix-Revalidate": fc.constant("yes"),
    },
    { requiredKeys: [] },
  )
  .chain((all) => fc.shuffledSubarray(Object.entries(all)))
  .map((entries) => entries.slice(0, 4))
  .map((entries): Record<string, string> => Object.fromEntries(entries));

const OTHER_ORIGINS: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { Origin: "x" },
  {},
];

/** The headers in which a browser names the origin of a request. */
const origin = (own: string): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant({ Origin: own }) },
    { weight: 1, arbitrary: fc.constant({ Origin: "null", "Sec-Fetch-Site": "same-origin" }) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_ORIGINS) },
  );

const COOKIE_NAMES = [
  ...[
    "theme",
    "reading",
    "places",
    "recent",
    "analytics",
    "flash",
    "return-to",
    "form-error",
    "google",
  ],
  ...["unsaved", "__session", "email-cooldown", "saved", "hides", "changed", "muted", "sign-out"],
];

const plainCookie = fc
  .tuple(
    fc.constantFrom(...COOKIE_NAMES),
    fc.constantFrom("", "__Host-"),
    fc.oneof(
      strangeValue.map((value) => encodeURIComponent(value.toWellFormed().slice(0, 300))),
      fc.constantFrom(
        "dark",
        "[]",
        "%5B1%2Cnull%2C%7B%7D%5D",
        "%5B%5B%22a%22%2C%22b%22%2C%22p-1%22%2C%22%22%2C0%2C0%2C1%2C1%2C1%5D%5D",
        "%2Fcreate%3Fdraft%3D1",
        "%ff",
        `%5B"${"a".repeat(2000)}"%5D`,
        "a.b.c.d.e",
        "profile-saved",
      ),
    ),
  )
  .map(([name, prefix, value]) => `${prefix}${name}=${value}`);

/**
 * Returns requests of every kind to every address.
 *
 * @param own the origin of the app
 * @param sessions names of session cookies in the jar
 * @param others names of other cookies in the jar
 */
export function strangeRequests(
  own: string,
  sessions: readonly string[],
  others: readonly string[],
): fc.Arbitrary<StrangeRequest> {
  const sealed = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...sessions).map((name) => [name]) },
    { weight: 2, arbitrary: fc.constantFrom(...others).map((name) => [name]) },
    { weight: 2, arbitrary: fc.constant([]) },
  );
  const jar = fc
    .tuple(sealed, fc.array(plainCookie, { maxLength: 2 }))
    .map(([names, plain]) => [...names, ...plain]);
  const suffix = fc.constantFrom("", "", "", ".data", ".data", "/", "/x");
  const any = fc.record({
    method: fc.constantFrom("GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"),
    path: fc
      .tuple(
        fc.oneof({ weight: 4, arbitrary: routePath }, { weight: 1, arbitrary: oddPath }),
        suffix,
        query,
      )
      .map(([path, end, search]) => `${path}${end}${search && `?${search}`}`),
    body: createBody(NAMES.slice(0, 4)),
  });
  const posted = fc.constantFrom(...Object.entries(FORMS)).chain(([address, names]) =>
    fc.record({
      method: fc.constantFrom("POST", "POST", "POST", "POST", "PUT", "PATCH"),
      path: fc.tuple(fc.boolean(), fc.boolean(), query).map(([isData, isPlain, search]) => {
        const [path = "", own = ""] = address.split("?");
        const all = [own, isPlain ? "" : search].filter(Boolean).join("&");
        return `${path}${isData ? ".data" : ""}${all && `?${all}`}`;
      }),
      body: createBody(names),
    }),
  );
  return fc
    .tuple(fc.oneof(any, posted), headers, origin(own), jar, fc.ipV4())
    .map(([asked, some, from, cookie, address]) => ({
      ...asked,
      // The rate limits count by IP address.
      headers: { "CF-Connecting-IP": address, ...some, ...from },
      cookies: cookie,
      body: asked.method === "GET" || asked.method === "HEAD" ? null : asked.body,
    }));
}

/** @param jar cookies by name */
export function toRequest(
  own: string,
  { method, path, headers: given, cookies, body }: StrangeRequest,
  jar: Readonly<Record<string, string>>,
): Request {
  const cookie = cookies.map((name) => jar[name] ?? name).join("; ");
  const all = new Headers({ Host: new URL(own).host, ...given, ...(cookie && { Cookie: cookie }) });
  const sent = body && encode(body);
  if (body?.kind === "raw" && body.type) all.set("Content-Type", body.type);
  return new Request(own + path, { method, headers: all, body: sent, redirect: "manual" });
}

function encode(body: StrangeBody): BodyInit {
  if (body.kind === "raw") return new TextEncoder().encode(body.text);
  if (body.kind === "form") {
    return new URLSearchParams(body.fields.map(([name, value]) => [name, value]));
  }
  const form = new FormData();
  body.fields.forEach(([name, value], index) => {
    const isFile = body.kind === "parts with files" && index % 2 === 0;
    if (isFile) form.append(name, new File([value], `${MARKUP[0]}.txt`));
    else form.append(name, value);
  });
  return form;
}
