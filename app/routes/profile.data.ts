export { downloadData as loader } from "#app/profile/data/download.server.ts";
