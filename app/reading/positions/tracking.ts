// One module, so that the browser loads all of it with one dynamic import.
export { findOnDevice, saveOnDevice } from "#app/stories/positions/device-positions.ts";
export { createPositionSync } from "./position-sync.ts";
export { createPositionTracker } from "./position-tracker.ts";
