/** Returns how far below the top of the window a line counts as the first, in pixels: where links scroll to. */
export function getTopOfView(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
}
