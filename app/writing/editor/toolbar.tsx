import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { isFormat, STORY_TOOLS, type ToolName } from "./story-tools.ts";
import styles from "./toolbar.module.css";

const LINK_SHORTCUT = "Mod-k";

/** A tool that formats the text, or one that the editor shows a row for. */
export type ToolbarAction = ToolName | "link" | "picture";

interface ToolButton {
  tool: ToolbarAction;
  /** Contains the visible label, if there is one, for users of speech input. */
  name: string;
  label: ReactNode;
}

const GROUPS: ToolButton[][] = [
  [
    { tool: "heading-1", name: "H1, large heading", label: "H1" },
    { tool: "heading-2", name: "H2, small heading", label: "H2" },
  ],
  [
    { tool: "bold", name: "Bold", label: <b>B</b> },
    { tool: "italic", name: "Italic", label: <i>I</i> },
    {
      tool: "link",
      name: "Link",
      label: drawIcon(
        "M8.5 11.5a3 3 0 0 0 4.3 0l2.8-2.8a3 3 0 0 0-4.3-4.3l-.9.9M11.5 8.5a3 3 0 0 0-4.3 0l-2.8 2.8a3 3 0 0 0 4.3 4.3l.9-.9",
      ),
    },
  ],
  [
    {
      tool: "quote",
      name: "Quote",
      label: drawIcon("M8.5 6C6 6.5 4.5 8.3 4.5 11v3h4v-4h-2M16 6c-2.5.5-4 2.3-4 5v3h4v-4h-2"),
    },
    {
      tool: "bullets",
      name: "List",
      label: drawIcon("M8 5.5h9M8 10h9M8 14.5h9M3.5 5.5h.1M3.5 10h.1M3.5 14.5h.1"),
    },
    {
      tool: "numbers",
      name: "Numbered list",
      label: drawIcon(
        "M8.5 5.5H17M8.5 10H17M8.5 14.5H17M3 4l1.3-.7v4M2.8 12.2c.9-1.2 2.7-.5 2.1.7L2.9 16h2.3",
      ),
    },
    { tool: "break", name: "Scene break", label: drawIcon("M3 10h3.5M8.3 10h3.5M13.5 10H17") },
    {
      tool: "picture",
      name: "Picture",
      label: drawIcon("M3 4.5h14v11H3zM3 13l4-4 4 4 2-2 4 4M13 8h.1"),
    },
  ],
  [
    { tool: "undo", name: "Undo", label: drawIcon("M7 4 3.5 7.5 7 11M4 7.5h8a4 4 0 0 1 0 8H8.5") },
    {
      tool: "redo",
      name: "Redo",
      label: drawIcon("m13 4 3.5 3.5L13 11M16 7.5H8a4 4 0 0 0 0 8h3.5"),
    },
  ],
];

export interface ToolbarProps {
  can: readonly ToolName[];
  on: readonly ToolbarAction[];
  onPress: (tool: ToolbarAction) => void;
}

/**
 * Buttons for the formats of the story. The toolbar is one Tab stop; the arrow keys, Home and End move between its buttons.
 * React Aria's toolbar supports neither Home nor End, and its disabled buttons lose the focus.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
 */
export function Toolbar({ can, on, onPress }: ToolbarProps) {
  const [current, setCurrent] = useState<ToolButton["tool"]>("heading-1");
  const mod = isApple() ? "Meta" : "Control";
  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label="Formatting"
      className={styles.toolbar}
      onKeyDown={moveFocus}
    >
      {GROUPS.map((group) => (
        <div key={group[0]?.tool} className={styles.group}>
          {group.map(({ tool, name, label }) => {
            const format = isFormat(tool) ? STORY_TOOLS[tool] : null;
            const shortcut = tool === "link" ? LINK_SHORTCUT : format?.shortcut;
            const isDisabled = isFormat(tool) && !can.includes(tool);
            return (
              <button
                key={tool}
                type="button"
                className={styles.button}
                tabIndex={tool === current ? 0 : -1}
                aria-label={name}
                aria-pressed={format?.isOn === null ? undefined : on.includes(tool)}
                // A `disabled` button would lose the focus after a press.
                aria-disabled={isDisabled || undefined}
                aria-keyshortcuts={shortcut?.replace("Mod", mod).replaceAll("-", "+")}
                title={shortcut ? `${name} · ${describeShortcut(shortcut)}` : name}
                onFocus={() => setCurrent(tool)}
                onMouseDown={preventBlur}
                onClick={() => onPress(tool)}
              >
                {label}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const index = buttons.findIndex((button) => button === event.target);
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: (index + 1) % buttons.length,
    Home: 0,
    End: -1,
  };
  const target = targets[event.key];
  if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  buttons.at(target)?.focus();
}

/** Prevents a press from moving the focus, so that the editor does not lose its selection. */
function preventBlur(event: MouseEvent) {
  event.preventDefault();
}

function describeShortcut(shortcut: string): string {
  const keys = isApple()
    ? { Mod: "⌘", Alt: "⌥", Shift: "⇧" }
    : { Mod: "Ctrl", Alt: "Alt", Shift: "Shift" };
  return shortcut
    .split("-")
    .map((key) => (key in keys ? keys[key as keyof typeof keys] : key.toUpperCase()))
    .join(isApple() ? "" : "+");
}

function isApple(): boolean {
  return /Mac|iP(hone|ad|od)/.test(navigator.userAgent);
}

function drawIcon(path: string): ReactNode {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={styles.icon}>
      <path d={path} />
    </svg>
  );
}
