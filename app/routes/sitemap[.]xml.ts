/** Responds with sitemaps, for search engines. */
export { sendSitemap as loader } from "#app/stories/sitemap.server.ts";
