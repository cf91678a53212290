/**
 * Brings what was refused into view on a page without scripts, as a browser does by itself with what is to have the focus
 * first. Where scripts run, React leaves it alone, and the page has not moved.
 */
export const AUTO_FOCUS = { tabIndex: -1, autoFocus: true };
