export { reportMessage as action } from "#app/chat/reports.server.ts";
export { loader } from "#app/http/home-redirect.server.ts";
