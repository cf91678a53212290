import "@remix-run/cloudflare";

/** A request that the server makes to another service. */
export interface OutgoingCall {
  service: "auth" | "database" | "firestore" | "google" | "tokens";
  /** For example "batchGet". */
  method: string;
  /** The status of the response; `null` without a complete one. */
  status: number | null;
  /** Milliseconds until the response was complete. */
  ms: number;
  /** Whether the call was not made, because its service does not respond or its request has no time left. */
  isSkipped?: boolean;
}

/** What the log says about a request. Passed from `functions/` to the app, which adds its outgoing calls. */
export interface RequestRecord {
  /** Also in the response's `X-Request-Id` header, on error pages and in logged errors. */
  id: string;
  /** The path pattern of the route, such as "/read/:id". Missing when no route ran. */
  route?: string;
  calls: OutgoingCall[];
  /** Whether the response came from a cache at the edge. */
  isCached?: boolean;
  /** Whether a page is rendered after the response, for later visitors. */
  isBackground?: boolean;
}

/** Why a page is incomplete: the database does not respond, or there is an error. */
export type PageFailure = "unavailable" | "error";

/** What the page cache reads about a handled request, and what it tells the app. */
export interface PageRecord {
  /** Why the page is incomplete; `null` if it is complete. */
  failure: PageFailure | null;
  /** Whether the page lacks its story. */
  isStoryMissing: boolean;
  /**
   * What this isolate read up to this time is not reused, because it may lack a change by this browser. Milliseconds since
   * the Unix epoch.
   */
  changedAt: number;
}

/** The values that differ each time the same page is rendered. Nothing else in the page contains them. */
export interface PageValues {
  /** A UUID, for the Content-Security-Policy. */
  nonce: string;
  /** A UUID, for the next message that is written on the page. */
  messageId: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
  /**
   * Pass only data through the load context. `functions/` and `build/server` are separate bundles, so `instanceof`
   * fails across them.
   */
  interface AppLoadContext {
    cloudflare: {
      env: object;
      /** The original request, before Remix changed its URL for the loaders. */
      request?: Request;
      /** Set by `functions/_middleware.ts`. Absent in development, which runs no middleware. */
      data?: {
        isUnderMaintenance?: boolean;
        record?: RequestRecord;
        /** Set by `functions/page-cache/`. */
        values?: PageValues;
        /** The ETags of the browser's copies of the page. */
        etags?: string[];
        /** Whether the page is for all visitors, so that it must not set cookies. */
        isShared?: boolean;
        /**
         * Whether a request for data has to load the document instead, because only the cached document can be served.
         */
        isDocumentCached?: boolean;
      };
      /** Runs a promise after the response. Only on Cloudflare. */
      ctx?: { waitUntil: (promise: Promise<unknown>) => void };
      /** The location of the request. Only on Cloudflare. */
      cf?: { timezone?: unknown };
    };
  }
}
