export { loadRoomSummary as loader } from "#app/chat/messages.server.ts";
