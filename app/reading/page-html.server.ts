import type { AppLoadContext } from "@remix-run/cloudflare";

const htmlByContext = new WeakMap<AppLoadContext, string>();

/** Passes safe HTML from a loader to the page being rendered. In the loader's data the browser would get it twice. */
export function setPageHtml(context: AppLoadContext, html: string): void {
  htmlByContext.set(context, html);
}

/** Returns the HTML that a loader of this request has set; an empty string for none. */
export function getPageHtml(context: AppLoadContext): string {
  return htmlByContext.get(context) ?? "";
}
