/** Returns where the visible text begins below the site header, in pixels from the top of the window. */
export function getTopOfView(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
}

/** Returns the space that scrolling leaves at the bottom of the window, for the bar of small windows, in pixels. */
export function getBottomSpace(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
}
