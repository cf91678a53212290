import type { AppLoadContext } from "@remix-run/cloudflare";

import type { PageHtml } from "./page-html.ts";

const htmlByContext = new WeakMap<AppLoadContext, PageHtml>();

/** Passes safe HTML from a loader to the page being rendered. As loader data, it would be sent to the browser twice. */
export function setPageHtml(context: AppLoadContext, html: PageHtml): void {
  htmlByContext.set(context, html);
}

/** Returns the HTML that a loader set during this request; `null` if none did. */
export function getPageHtml(context: AppLoadContext): PageHtml | null {
  return htmlByContext.get(context) ?? null;
}
