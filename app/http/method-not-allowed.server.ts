import { redirect } from "@remix-run/cloudflare";

/** No page stands at this address: it leads home, as every unknown one does. */
export const loader = () => redirect("/home");
