export { loader } from "./no-page.server.ts";
