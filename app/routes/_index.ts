export { loader } from "#app/http/home-redirect.server.ts";
