export { loader } from "#app/http/home-redirect.server.ts";
export { uploadPicture as action } from "#app/pictures/pictures.server.ts";
