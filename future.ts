/** Remix's future flags. */
export const future = {
  v3_fetcherPersist: true,
  // The full manifest costs browsers 1.7 KB once. Lazy discovery costs the server a request for each page.
  v3_lazyRouteDiscovery: false,
  v3_relativeSplatPath: true,
  v3_routeConfig: true,
  v3_singleFetch: true,
  v3_throwAbortReason: true,
};
