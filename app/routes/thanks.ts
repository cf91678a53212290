export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { thankWriter as action } from "#app/reading/thanks.server.ts";
export { clientAction } from "#app/site/offline.ts";
