export { loader } from "#app/http/home-redirect.server.ts";
export { changeMessage as action } from "#app/chat/own-messages.server.ts";
