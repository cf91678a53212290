/**
 * The page of a route that is never shown: with it what the route refuses is explained on a page. Keep
 * server packages out of this file, for browsers load it.
 */
export default function EmptyPage() {
  return null;
}
