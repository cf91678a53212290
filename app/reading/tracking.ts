// One file for the browser to load with the first input.
export { saveOnDevice } from "./device-positions.ts";
export { createPositionSync } from "./position-sync.ts";
export { createPositionTracker } from "./position-tracker.ts";
