export { loader } from "#app/http/method-not-allowed.server.ts";
