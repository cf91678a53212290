// One module, so that the browser loads both panels with one dynamic import.
export { ContentsPanel } from "./contents-panel.tsx";
export { replacePanels } from "./replace-panels.ts";
export { TypePanel } from "./type-panel.tsx";
