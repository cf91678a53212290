import "@remix-run/cloudflare";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
  /**
   * Pass only data through the load context. `functions/` and `build/server` are separate bundles, so `instanceof` fails
   * across them.
   */
  interface AppLoadContext {
    cloudflare: {
      env: object;
      /** The original request, before Remix changed its URL for the loaders. */
      request?: Request;
      /** Runs a promise after the response. Only on Cloudflare. */
      ctx?: { waitUntil: (promise: Promise<unknown>) => void };
      /** The location of the request. Only on Cloudflare. */
      cf?: { timezone?: unknown };
    };
  }
}
