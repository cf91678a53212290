const STYLE_ID = "react-aria-pressable-style";

/**
 * Call before React Aria's buttons and menus are shown. They add a style element unless there is one with this id, and our
 * Content-Security-Policy would block it and log an error. The style sheets of the components have its rule.
 */
export function preparePressStyle(): void {
  if (document.getElementById(STYLE_ID)) return;
  const placeholder = document.createElement("meta");
  placeholder.id = STYLE_ID;
  document.head.appendChild(placeholder);
}
