import type { AppLoadContext } from "@remix-run/cloudflare";

const htmlByContext = new WeakMap<AppLoadContext, string>();

/** Passes safe HTML from a loader to the page being rendered. As loader data, it would be sent to the browser twice. */
export function setPageHtml(context: AppLoadContext, html: string): void {
  htmlByContext.set(context, html);
}

/** Returns the HTML that a loader set during this request; an empty string if none did. */
export function getPageHtml(context: AppLoadContext): string {
  return htmlByContext.get(context) ?? "";
}
