/**
 * Props that make a page without scripts scroll to an error: browsers scroll to the element with `autofocus`. With
 * scripts the page stays in place, and React does not focus these elements.
 */
export const AUTO_FOCUS = { tabIndex: -1, autoFocus: true };
