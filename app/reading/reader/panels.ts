// One module, so that the browser loads all panels with one dynamic import.
export { TogetherSwitch } from "#app/reading/together/together-switch.tsx";
export { ContentsPanel } from "./contents-panel.tsx";
export { MorePanel } from "./more-panel.tsx";
export { replacePanels } from "./replace-panels.ts";
export { TypePanel } from "./type-panel.tsx";
