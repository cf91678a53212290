type RouteModules = Record<string, unknown>;

/**
 * Loads the script of a route, instead of Remix's own function (vite.config.ts). After a deploy, the scripts of the old
 * build are gone. Remix would then reload the open page, as if the user had not pressed the link; this function loads the
 * page that the link leads to. Neither an error boundary nor `vite:preloadError` could do that: Remix catches the error
 * itself, and does not import routes with Vite's function.
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

/** Loads the target of the navigation from the server. Without a navigation, or after Back, that is the current address. */
function loadDocument(): void {
  const router = window.__remixRouter;
  const { state: phase, location: target } = router.state.navigation;
  const href =
    phase === "loading" ? new URL(router.createHref(target), location.href).href : location.href;
  if (href === location.href) location.reload();
  else location.assign(href);
}
