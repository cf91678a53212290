/** Responds with the picture of a story, for link previews. */
export { sendPicture as loader } from "#app/stories/picture/picture.server.ts";
