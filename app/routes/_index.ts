export { loader } from "./no-page.ts";
