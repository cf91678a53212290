import type { ReactNode } from "react";

import {
  READING_CHOICES,
  readSettings,
  type ReadingSettingName,
  type ReadingSettings,
} from "#app/reading/settings.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

export interface TypePanelProps {
  settings: ReadingSettings;
  /** Called after each change. Without it the form has a button. */
  onSettings?: (settings: ReadingSettings) => void;
  /** The path to redirect to after a submit without scripts. */
  returnTo: string;
  /** A setting of the page, which is not part of the form. */
  children?: ReactNode;
}

/** The settings of the text. */
export function TypePanel({ settings, onSettings, returnTo, children }: TypePanelProps) {
  return (
    <div>
      <form
        method="post"
        action="/reading-settings"
        aria-label="Type settings"
        onChange={({ currentTarget }) => onSettings?.(readSettings(new FormData(currentTarget)))}
      >
        {/* Otherwise Enter would press the first of the other buttons. */}
        {onSettings ? null : <button type="submit" hidden aria-label="Use these settings" />}
        <PaperSetting settings={settings} />
        <SizeSetting settings={settings} onSettings={onSettings} />
        <SegmentedSetting name="line" settings={settings} toContent={toLines} />
        <SegmentedSetting name="width" settings={settings} />
        <div data-row>
          <label htmlFor="reading-font">{READING_CHOICES.font.label}</label>
          <span data-control>
            <select id="reading-font" name="font" defaultValue={settings.font}>
              {Object.entries(READING_CHOICES.font.choices).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
            <Icon name="down" />
          </span>
        </div>
        <SegmentedSetting name="align" settings={settings} />
        <SegmentedSetting name="paragraphs" settings={settings} />
        <SegmentedSetting name="quotes" settings={settings} />
        <SegmentedSetting name="keys" settings={settings} />
        <input type="hidden" name="returnTo" value={returnTo} />
        {onSettings ? null : <Button type="submit">Use these settings</Button>}
      </form>
      {children}
      <ShortcutsHelp
        hasPageShortcuts={onSettings !== undefined}
        hasSingleKeys={settings.keys === "on"}
      />
    </div>
  );
}

/** A radio button for each paper, in its colours. */
function PaperSetting({ settings }: Pick<TypePanelProps, "settings">) {
  const { label, choices } = READING_CHOICES.paper;
  return (
    <fieldset data-papers>
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      {Object.entries(choices).map(([value, name]) => (
        <label key={value}>
          <input
            type="radio"
            name="paper"
            value={value}
            defaultChecked={settings.paper === value}
          />
          <span data-paper={value} aria-hidden="true">
            A
          </span>
          {name}
        </label>
      ))}
    </fieldset>
  );
}

/** Two buttons that change the text size. Without scripts they submit the form. */
function SizeSetting({ settings, onSettings }: Pick<TypePanelProps, "settings" | "onSettings">) {
  const { label, choices } = READING_CHOICES.size;
  const sizes = Object.keys(choices);
  const at = sizes.indexOf(settings.size);

  function step(by: -1 | 1, name: string) {
    const size = sizes[at + by];
    return (
      <button
        type={onSettings ? "button" : "submit"}
        // The server reads only the first field with this name.
        name="size"
        value={size ?? settings.size}
        aria-label={name}
        aria-disabled={size === undefined}
        onClick={() => {
          if (size !== undefined) onSettings?.({ ...settings, size });
        }}
      >
        {by > 0 ? "+" : "−"}
      </button>
    );
  }

  return (
    <fieldset data-row>
      <legend>{label}</legend>
      <span data-steps>
        {step(-1, "Smaller text")}
        <output>{settings.size}</output>
        {step(1, "Larger text")}
        <input type="hidden" name="size" value={settings.size} />
      </span>
    </fieldset>
  );
}

interface SegmentedSettingProps {
  name: ReadingSettingName;
  settings: ReadingSettings;
  /** Returns what a choice shows instead of its name. */
  toContent?: (value: string) => ReactNode;
}

/** Radio buttons in a row. */
function SegmentedSetting({ name, settings, toContent }: SegmentedSettingProps) {
  const { label, choices } = READING_CHOICES[name];
  return (
    <fieldset data-row>
      <legend>{label}</legend>
      <span data-segments>
        {Object.entries(choices).map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={settings[name] === value}
            />
            <span>
              {toContent ? (
                <>
                  {toContent(value)}
                  <VisuallyHidden>{text}</VisuallyHidden>
                </>
              ) : (
                text
              )}
            </span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}

/** Returns a picture of three lines with that spacing. */
function toLines(value: string): ReactNode {
  const gap = Number(value) * 12 - 13;
  const lines = [-gap, 0, gap].map((y) => `M2 ${12 + y}h20`).join("");
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      stroke="currentColor"
      strokeWidth="1.75"
      aria-hidden
    >
      <path d={lines} />
    </svg>
  );
}

const BROWSER_SHORTCUTS = [
  ["Space, Shift+Space", "Scroll one screen"],
  ["Page Down, Page Up", "Scroll one screen"],
  ["Home, End", "Go to the beginning or end"],
] as const;

const PAGE_SHORTCUTS = [["Esc", "Close the open panel"]] as const;

const SINGLE_KEY_SHORTCUTS = [
  ["→, ←", "Next or previous part"],
  ["t", "Open or close type settings"],
  ["?", "Open or close this list"],
] as const;

const LISTEN_SHORTCUT = ["l", "Listen, pause or continue"] as const;

interface ShortcutsHelpProps {
  /** Whether the shortcuts that need scripts work. */
  hasPageShortcuts: boolean;
  /** Whether single-key shortcuts are on. */
  hasSingleKeys: boolean;
}

/** Lists the shortcuts that work on this page. */
function ShortcutsHelp({ hasPageShortcuts, hasSingleKeys }: ShortcutsHelpProps) {
  const hasKeys = hasPageShortcuts && hasSingleKeys;
  const shortcuts = [
    ...BROWSER_SHORTCUTS,
    ...(hasPageShortcuts ? PAGE_SHORTCUTS : []),
    ...(hasKeys ? SINGLE_KEY_SHORTCUTS : []),
    ...(hasKeys && "speechSynthesis" in globalThis ? [LISTEN_SHORTCUT] : []),
  ];
  return (
    <details data-help>
      <summary>Keyboard shortcuts</summary>
      <dl>
        {shortcuts.map(([key, action]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
