type RouteModules = Record<string, unknown>;

/**
 * Replaces Remix's own function, which loads the script of a route (vite.config.ts). After a deploy, the scripts of the old
 * build are gone. Remix then reloads the page that is open, as if the user had not pressed the link; this function loads
 * the page that the link leads to. Remix catches the error itself and imports routes without Vite's function, so neither an
 * error boundary nor `vite:preloadError` sees it.
 */
export async function loadRouteModule(
  route: { id: string; module: string },
  routeModules: RouteModules,
): Promise<unknown> {
  if (route.id in routeModules) return routeModules[route.id];
  try {
    const module: unknown = await import(/* @vite-ignore */ route.module);
    routeModules[route.id] = module;
    return module;
  } catch {
    loadDocument();
    // The page is about to be replaced.
    return await new Promise(() => {});
  }
}

/** Loads the page of the current navigation from the server. Without one, or after Back, it has the current address. */
function loadDocument(): void {
  const router = window.__remixRouter;
  const { state: phase, location: target } = router.state.navigation;
  const href =
    phase === "loading" ? new URL(router.createHref(target), location.href).href : location.href;
  if (href === location.href) location.reload();
  else location.assign(href);
}
