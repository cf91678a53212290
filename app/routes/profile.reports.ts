export { moderateForScripts as action } from "#app/profile/actions/moderate.server.ts";
export { loader } from "#app/http/home-redirect.server.ts";
