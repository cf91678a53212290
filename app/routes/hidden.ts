export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";
export { changeHiddenItems as action } from "#app/stories/library/library-actions.server.ts";
