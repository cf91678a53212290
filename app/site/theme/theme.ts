const THEMES = ["light", "dark", "system"] as const;

/** `system` follows the device. */
export type Theme = (typeof THEMES)[number];

/** Returns the value if it is a theme. Without Zod, because the browser loads this on every page. */
export function findTheme(value: unknown): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}
