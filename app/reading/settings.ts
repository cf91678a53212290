const SIZES = "16 17 18 19 20 21 22 23 24 25 26 27 28".split(" ");

/** The settings of the reading page, in the order of the form. The keys are the names of the form's fields. */
export const READING_CHOICES = {
  font: {
    label: "Font",
    choices: {
      literata: "Literata",
      serif: "Your device's serif",
      figtree: "Figtree",
      atkinson: "Atkinson Hyperlegible",
      opendyslexic: "OpenDyslexic",
    },
    initial: "literata",
  },
  size: {
    label: "Size",
    choices: Object.fromEntries(SIZES.map((size) => [size, size])),
    initial: "19",
  },
  line: {
    label: "Line spacing",
    choices: { "1.5": "Tight", "1.72": "Normal", "1.9": "Loose" },
    initial: "1.72",
  },
  width: {
    label: "Width",
    choices: { "32": "Narrow", "38": "Medium", "44": "Wide" },
    initial: "38",
  },
  paper: {
    label: "Paper",
    choices: {
      same: "Default",
      paper: "Paper",
      white: "White",
      sepia: "Sepia",
      mist: "Mist",
      dusk: "Dusk",
      night: "Night",
      contrast: "Contrast",
    },
    initial: "same",
  },
  align: {
    label: "Alignment",
    choices: { left: "Left", justify: "Justified" },
    initial: "left",
  },
  paragraphs: {
    label: "Paragraphs",
    choices: { indent: "Indented", space: "Spaced" },
    initial: "indent",
  },
  quotes: {
    label: "Quotes in the margin",
    choices: { on: "On", off: "Off" },
    initial: "on",
  },
  keys: {
    label: "Single-key shortcuts",
    choices: { on: "On", off: "Off" },
    initial: "on",
  },
} satisfies Record<string, { label: string; choices: Record<string, string>; initial: string }>;

export type ReadingSettingName = keyof typeof READING_CHOICES;

/** The chosen value of each setting: a key of its `choices`. */
export type ReadingSettings = Record<ReadingSettingName, string>;

export const SETTING_NAMES = Object.keys(READING_CHOICES) as ReadingSettingName[]; // the keys of a constant

/** Parses a form or a cookie. Replaces missing and invalid values with the initial ones. */
export function readSettings(form: Pick<FormData | URLSearchParams, "get">): ReadingSettings {
  const chosen = SETTING_NAMES.map((name) => {
    const text = form.get(name);
    const value = typeof text === "string" ? text : "";
    const { choices, initial } = READING_CHOICES[name];
    return [name, Object.hasOwn(choices, value) ? value : initial];
  });
  return Object.fromEntries(chosen) as ReadingSettings; // one entry for each of the names
}

/** Returns the value of the settings cookie. */
export function serializeSettings(settings: ReadingSettings): string {
  return new URLSearchParams(settings).toString();
}
