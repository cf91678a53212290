/**
 * Props that make a page without scripts scroll to an error: browsers scroll to the element with `autofocus`. After
 * hydration the page has not moved, and React does not focus the element.
 */
export const AUTO_FOCUS = { tabIndex: -1, autoFocus: true };
