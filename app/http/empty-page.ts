/**
 * The component of a route without a page, so that Remix shows its errors on the error page. Browsers load this file:
 * import no server packages here.
 */
export default function EmptyPage() {
  return null;
}
