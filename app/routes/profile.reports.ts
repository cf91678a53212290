export { moderateForScripts as action } from "#app/profile/reports/reports.server.ts";
export { loader } from "#app/http/home-redirect.server.ts";
