import "@remix-run/cloudflare";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
  /**
   * Only data may cross the load context. `functions/` and `build/server` are separate bundles, so a class made on one
   * side is never `instanceof` itself on the other.
   */
  interface AppLoadContext {
    cloudflare: {
      env: object;
      /** The request as it arrived, before Remix made the loaders' own. */
      request?: Request;
      /** Lets a promise outlive the response. Absent off Cloudflare. */
      ctx?: { waitUntil: (promise: Promise<unknown>) => void };
      /** What the edge knows about the browser's location. Absent off Cloudflare. */
      cf?: { timezone?: unknown };
    };
  }
}
