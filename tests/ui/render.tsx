import { RemixServer } from "@remix-run/react";
import type { ComponentProps, ReactElement } from "react";
import { renderToString } from "react-dom/server";

import * as root from "#app/root.tsx";

type EntryContext = ComponentProps<typeof RemixServer>["context"];

/** Renders an element on the server inside the router, at a path with an optional query. */
export function renderPage(path: string, element: ReactElement): string {
  return render(path, { default: () => element }, null);
}

/** Renders the error page after a loader or action threw a response. */
export function renderError(path: string, status: number, data: unknown): string {
  return render(path, root, { root: { status, statusText: "", internal: false, data } });
}

type RouteModule = EntryContext["routeModules"][string];
type Errors = EntryContext["staticHandlerContext"]["errors"];

function render(path: string, rootModule: RouteModule, errors: Errors): string {
  const url = new URL(path, "http://localhost");
  const context: EntryContext = {
    manifest: {
      entry: { imports: [], module: "" },
      routes: {
        root: {
          id: "root",
          path: "*",
          module: "",
          hasAction: true,
          hasLoader: false,
          hasClientAction: false,
          hasClientLoader: false,
          hasErrorBoundary: errors !== null,
        },
      },
      url: "",
      version: "",
    },
    routeModules: { root: rootModule },
    future: {
      v3_fetcherPersist: true,
      v3_lazyRouteDiscovery: false,
      v3_relativeSplatPath: true,
      v3_singleFetch: true,
    },
    isSpaMode: false,
    staticHandlerContext: {
      basename: "/",
      location: {
        pathname: url.pathname,
        search: url.search,
        hash: "",
        state: null,
        key: "default",
      },
      matches: [
        {
          route: { id: "root", path: "*" },
          params: {},
          pathname: url.pathname,
          pathnameBase: url.pathname,
        },
      ],
      loaderData: {},
      actionData: null,
      errors,
      statusCode: 200,
      loaderHeaders: {},
      actionHeaders: {},
      activeDeferreds: null,
    },
  };
  return renderToString(<RemixServer context={context} url={url.href} />);
}

/** Returns an attribute of the first matching tag, or `null` if either is missing. */
export function getAttribute(html: string, tag: RegExp, name: string): string | null {
  const found = findTag(html, tag);
  return new RegExp(`\\s${name}="([^"]*)"`, "i").exec(found ?? "")?.[1] ?? null;
}

/** Returns the first matching tag, from `<` to `>`. */
export function findTag(html: string, tag: RegExp): string | undefined {
  return html.match(/<[^>]+>/g)?.find((candidate) => tag.test(candidate));
}

/** Returns the text of the element with this id, up to the first end tag of a block. */
export function readElement(html: string, id: string): string {
  const [, after = ""] = html.split(`id="${id}"`);
  const [inside = ""] = after
    .slice(after.indexOf(">") + 1)
    .split(/<\/div>|<\/section>|<\/form>/, 1);
  return inside
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
