import type { AppLoadContext } from "@remix-run/cloudflare";

const markupByContext = new WeakMap<AppLoadContext, string>();

/**
 * Hands safe HTML from a loader to the page that is being made. In the loader's data it would travel to the browser a
 * second time, beside the page.
 */
export function handMarkup(context: AppLoadContext, html: string): void {
  markupByContext.set(context, html);
}

/** Returns what a loader of this request has handed over; an empty string for nothing. */
export function takeMarkup(context: AppLoadContext): string {
  return markupByContext.get(context) ?? "";
}
