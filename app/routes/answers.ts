export { default } from "#app/http/empty-page.ts";
export { clientAction } from "#app/site/offline.ts";
export { readAnswers as action, redirectToAnswers as loader } from "#app/profile/answers.server.ts";
