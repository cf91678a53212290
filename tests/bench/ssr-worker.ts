import { createRequestHandler } from "@remix-run/cloudflare";
import { createElement, type ComponentType } from "react";
import { renderToReadableStream } from "react-dom/server";

// @ts-ignore built by `remix vite:build`, so absent until then
import * as build from "../../build/server/index.js";
import app from "../../worker/index.ts";

/** The app as a Worker, with two more routes to compare its pages with. */
export default {
  async fetch(...args: FetchArgs): Promise<Response> {
    const { pathname } = new URL(args[0].url);
    if (pathname === "/bench/hello") return new Response("hello");
    if (pathname === "/bench/react") return renderPage(...args);
    return app.fetch(...args);
  },
};

type FetchArgs = Parameters<typeof app.fetch>;
type Page = ComponentType<{
  remixContext: object;
  context: object;
  url: string;
  nonce: string;
  htmlCache: null;
}>;

const elements = new Map<boolean, ReturnType<typeof createElement>>();

/**
 * Renders /home with React alone, as a stream, from the data of the first request of a visitor or a signed-in user. It
 * renders everything each time.
 */
async function renderPage(...args: FetchArgs): Promise<Response> {
  const isVisitor = !args[0].headers.has("Cookie");
  const element = elements.get(isVisitor) ?? (await loadPage(...args));
  elements.set(isVisitor, element);
  const body = await renderToReadableStream(element);
  return new Response(body, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function loadPage(...[received, env, ctx]: FetchArgs) {
  const { module } = build.entry as { module: { Page: Page } };
  const url = new URL("/home", received.url).href;
  let page: ReturnType<typeof createElement> | undefined;
  function capturePage(
    _: Request,
    __: number,
    ___: Headers,
    remixContext: object,
    context: object,
  ) {
    const withoutData = { ...remixContext, serverHandoffStream: undefined };
    const props = { remixContext: withoutData, context, url, nonce: "", htmlCache: null };
    page = createElement(module.Page, props);
    return new Response();
  }
  const entry = { module: { ...module, default: capturePage } };
  await createRequestHandler({ ...build, entry })(new Request(url, received), {
    cloudflare: { env, ctx, data: {}, request: received },
  });
  if (!page) throw new Error("The page was not rendered");
  return page;
}
