export { loadRoomForScripts as loader } from "#app/chat/messages.server.ts";
