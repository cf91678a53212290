export { loader } from "#app/http/home-redirect.server.ts";
export { changeMessage as action } from "#app/chat/message-page/message-page.server.ts";
