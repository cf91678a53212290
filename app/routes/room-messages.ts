export { sendMessageForScripts as action } from "#app/chat/create-message.server.ts";
export { loadMessages as loader } from "#app/chat/messages.server.ts";
