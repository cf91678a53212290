export { readAnswer as action } from "#app/chat/answers/read-answer.server.ts";
export { loadNewestAnswers as loader } from "#app/profile/answers.server.ts";
