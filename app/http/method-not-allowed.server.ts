import { redirect } from "@remix-run/cloudflare";

/** For addresses that only accept forms: redirects to the home page, as unknown addresses do. */
export const loader = () => redirect("/home");
