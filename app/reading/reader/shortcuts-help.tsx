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

export interface ShortcutsHelpProps {
  /** Whether the shortcuts that need scripts work. */
  hasPageShortcuts: boolean;
  /** Whether single-key shortcuts are on. */
  hasSingleKeys: boolean;
}

/** Lists the shortcuts that work on this page. */
export function ShortcutsHelp({ hasPageShortcuts, hasSingleKeys }: ShortcutsHelpProps) {
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
