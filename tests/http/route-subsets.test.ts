import { matchRoutes } from "@remix-run/react";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";

import routeConfig from "#app/routes.ts";
import { withRouteSubsets } from "../../functions/route-subsets.ts";

const ROUTES = routeConfig.map(({ file: id, path, index, caseSensitive }) => ({
  ...{ id, caseSensitive, parentId: "root", module: { default: null } },
  ...(index === true ? { index } : { path }),
}));
const SEGMENTS = [...new Set(routeConfig.flatMap(({ path = "" }) => path.split("/")))];

const findSubset = withRouteSubsets(
  {
    routes: Object.fromEntries(ROUTES.map((route) => [route.id, route])),
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
  },
  ({ routes }) => ROUTES.filter(({ id }) => id in routes),
);

function findRoute(routes: typeof ROUTES, pathname: string): string | undefined {
  return matchRoutes(routes, pathname)?.at(-1)?.route.id;
}

const segments = fc.oneof(
  fc.constantFrom(...SEGMENTS),
  fc.constantFrom(...SEGMENTS).map((segment) => segment.toUpperCase()),
  fc.constantFrom(...SEGMENTS).map((segment) => segment.replace("e", "%65")),
  fc.constantFrom("", "%", "%2F", ".", "..", "a b", "_root"),
  fc.webSegment(),
);
const ends = fc.constantFrom("", "/", ".data", ".md", "?at=/home");

test("each address matches the same route with a subset as with all routes", () => {
  // The router warns about malformed paths.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  fc.assert(
    fc.property(fc.array(segments, { maxLength: 5 }), ends, (path, end) => {
      const address = `/${path.join("/")}${end}`.replace(/^\/+/, "/");
      const url = new URL(address, "https://inkglade.example");
      // As Remix does for data requests.
      const pathname = url.pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/");

      const subset = findSubset(new Request(url));

      expect(findRoute(subset, pathname)).toBe(findRoute(ROUTES, pathname));
    }),
    { numRuns: 2000 },
  );
});

test("an address is compared with few routes", () => {
  const subset = findSubset(new Request("https://inkglade.example/home?not=/login"));

  expect(subset.map(({ id }) => id)).toEqual([
    "routes/_index.ts",
    "routes/home.tsx",
    "routes/$.ts",
  ]);
});

test("browsers get all routes, without values that Remix assumes and imports that every page has loaded", () => {
  const home = {
    ...{ id: "routes/home", parentId: "root", path: "home", module: "/home.js" },
    ...{ hasAction: false, hasLoader: true, hasClientAction: false, hasClientLoader: false },
    ...{ hasErrorBoundary: false, css: [] },
  };
  const assets = {
    entry: { module: "/entry.js", imports: ["/libraries.js"] },
    routes: {
      "routes/home": { ...home, imports: ["/libraries.js", "/entry.js", "/room.js"] },
      "routes/login": { ...home, id: "routes/login", path: "login", imports: ["/libraries.js"] },
    },
    url: "/manifest.js",
    version: "1",
  };
  const findManifest = withRouteSubsets({ routes: {}, assets }, (build) =>
    Reflect.get(build.assets, "browserManifest"),
  );

  const manifest = findManifest(new Request("https://inkglade.example/home"));

  const route = { parentId: "root", module: "/home.js", hasLoader: true };
  expect(JSON.parse(String(manifest))).toEqual({
    ...assets,
    routes: {
      "routes/home": { ...route, id: "routes/home", path: "home", imports: ["/room.js"] },
      "routes/login": { ...route, id: "routes/login", path: "login" },
    },
  });
});
