/** Returns where the visible text begins below the site header, in pixels from the top of the window. */
export function getTopOfView(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
}
