/**
 * The component of a route without a page. With a component, Remix renders the route's errors on the error page. Browsers
 * load this file, so it must not import server packages.
 */
export default function EmptyPage() {
  return null;
}
