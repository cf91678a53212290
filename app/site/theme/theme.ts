const THEMES = ["light", "dark", "system"] as const;

/** The colours a person asked for. `system` follows the device. */
export type Theme = (typeof THEMES)[number];

/** Returns the theme of that name, if there is one. Every page reads themes, so this does without a library. */
export function findTheme(name: unknown): Theme | undefined {
  return THEMES.find((theme) => theme === name);
}
