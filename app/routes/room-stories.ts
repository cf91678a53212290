export { loadQuotedStories as loader } from "#app/chat/quotes/quoted-stories.server.ts";
