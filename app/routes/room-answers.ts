export { readAnswer as action } from "#app/chat/answers/answers.server.ts";
export { loadNewestAnswers as loader } from "#app/profile/answers.server.ts";
