/** What Remix does already as its successor will. */
export const future = {
  v3_fetcherPersist: true,
  // Costs browsers 1.7 KB once, and spares the server a request, and the matching of every link, for each page.
  v3_lazyRouteDiscovery: false,
  v3_relativeSplatPath: true,
  v3_routeConfig: true,
  v3_singleFetch: true,
  v3_throwAbortReason: true,
};
