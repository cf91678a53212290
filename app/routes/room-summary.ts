export { loadRoomSummary as loader } from "#app/chat/room-summary.server.ts";
