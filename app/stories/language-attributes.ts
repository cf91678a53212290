/** The languages of the list that are written from right to left. */
const RTL = /^(?:ar|fa|he|ur|yi)$/;

/** Returns the direction of a language's script. */
export function getDirection(language: string | undefined): "ltr" | "rtl" {
  return language !== undefined && RTL.test(language) ? "rtl" : "ltr";
}

/**
 * Returns the attributes of the element with a story's text. The text is rendered for this direction: only blocks with
 * another one have their own.
 */
export function toLanguageAttributes(language: string | undefined) {
  return { lang: language, dir: getDirection(language) === "rtl" ? ("rtl" as const) : undefined };
}
