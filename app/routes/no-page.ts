import { redirect } from "@remix-run/cloudflare";

/** No page stands at this address: it leads home, as every unknown one does. */
export const loader = () => redirect("/home");

/** Makes the route one of pages, so that what it refuses is explained on one; it is never shown itself. */
export default function NoPage() {
  return null;
}
