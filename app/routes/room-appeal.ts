export { askToPost as action } from "#app/chat/moderation/mute.server.ts";
export { loader } from "#app/http/home-redirect.server.ts";
