/** WebDriver's characters for keys without one: https://w3c.github.io/webdriver/#keyboard-actions. */
export const KEYS: Record<string, string> = {
  Backspace: "\uE003",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
};
