export { loader } from "#app/http/home-redirect.server.ts";
export { readAnswer as action } from "#app/chat/answers/read-answer.server.ts";
