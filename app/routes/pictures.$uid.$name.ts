/** Responds with an uploaded picture. */
export { sendPicture as loader } from "#app/pictures/pictures.server.ts";
