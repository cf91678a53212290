import { redirect } from "@remix-run/cloudflare";

/** Redirects to the home page, as for unknown addresses. For routes that only accept forms. */
export const loader = () => redirect("/home");
