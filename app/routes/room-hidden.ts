export { changeHidden as action, loadHiddenUids as loader } from "#app/chat/hidden.server.ts";
