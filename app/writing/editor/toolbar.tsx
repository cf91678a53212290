import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import type { CaretState } from "./story-editor.ts";
import { STORY_TOOLS, type ToolName } from "./story-tools.ts";
import styles from "./toolbar.module.css";

const LINK_SHORTCUT = "Mod-k";

interface Key {
  tool: ToolName | "link";
  /** Holds the words of the face, if it has any: people who speak to their browser say what they see. */
  name: string;
  face: ReactNode;
}

const GROUPS: Key[][] = [
  [
    { tool: "heading-1", name: "H1, large heading", face: "H1" },
    { tool: "heading-2", name: "H2, small heading", face: "H2" },
  ],
  [
    { tool: "bold", name: "Bold", face: <b>B</b> },
    { tool: "italic", name: "Italic", face: <i>I</i> },
    {
      tool: "link",
      name: "Link",
      face: draw(
        "M8.5 11.5a3 3 0 0 0 4.3 0l2.8-2.8a3 3 0 0 0-4.3-4.3l-.9.9M11.5 8.5a3 3 0 0 0-4.3 0l-2.8 2.8a3 3 0 0 0 4.3 4.3l.9-.9",
      ),
    },
  ],
  [
    {
      tool: "quote",
      name: "Quote",
      face: draw("M8.5 6C6 6.5 4.5 8.3 4.5 11v3h4v-4h-2M16 6c-2.5.5-4 2.3-4 5v3h4v-4h-2"),
    },
    {
      tool: "bullets",
      name: "List",
      face: draw("M8 5.5h9M8 10h9M8 14.5h9M3.5 5.5h.1M3.5 10h.1M3.5 14.5h.1"),
    },
    {
      tool: "numbers",
      name: "Numbered list",
      face: draw(
        "M8.5 5.5H17M8.5 10H17M8.5 14.5H17M3 4l1.3-.7v4M2.8 12.2c.9-1.2 2.7-.5 2.1.7L2.9 16h2.3",
      ),
    },
    { tool: "break", name: "Scene break", face: draw("M3 10h3.5M8.3 10h3.5M13.5 10H17") },
  ],
  [
    { tool: "undo", name: "Undo", face: draw("M7 4 3.5 7.5 7 11M4 7.5h8a4 4 0 0 1 0 8H8.5") },
    { tool: "redo", name: "Redo", face: draw("m13 4 3.5 3.5L13 11M16 7.5H8a4 4 0 0 0 0 8h3.5") },
  ],
];

export interface ToolbarProps {
  caret: CaretState;
  isLinking: boolean;
  onRun: (tool: ToolName) => void;
  onLink: () => void;
}

/**
 * What can be done with the words. One stop for Tab; the arrow keys go from key to key.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
 */
export function Toolbar({ caret, isLinking, onRun, onLink }: ToolbarProps) {
  const [current, setCurrent] = useState<Key["tool"]>("heading-1");
  const mod = isApple() ? "Meta" : "Control";
  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label="Formatting"
      className={styles.toolbar}
      onKeyDown={goToKey}
    >
      {GROUPS.map((keys) => (
        <div key={keys[0]?.tool} className={styles.group}>
          {keys.map(({ tool, name, face }) => {
            const isLink = tool === "link";
            const shortcut = isLink ? LINK_SHORTCUT : STORY_TOOLS[tool].shortcut;
            const canBeOn = isLink || STORY_TOOLS[tool].isOn !== null;
            const isOn = isLink ? caret.link !== null || isLinking : caret.on.includes(tool);
            const isOff = !isLink && !caret.can.includes(tool);
            return (
              <button
                key={tool}
                type="button"
                className={styles.key}
                tabIndex={tool === current ? 0 : -1}
                aria-label={name}
                aria-pressed={canBeOn ? isOn : undefined}
                // Keeps the focus of whoever has just pressed it, unlike `disabled`.
                aria-disabled={isOff || undefined}
                aria-keyshortcuts={shortcut.replace("Mod", mod).replaceAll("-", "+")}
                title={`${name} · ${toWords(shortcut)}`}
                onFocus={() => setCurrent(tool)}
                onMouseDown={keepCaret}
                onClick={() => (isLink ? onLink() : onRun(tool))}
              >
                {face}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function goToKey(event: KeyboardEvent<HTMLElement>) {
  const keys = [...event.currentTarget.querySelectorAll("button")];
  const index = keys.findIndex((key) => key === event.target);
  const goals: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: (index + 1) % keys.length,
    Home: 0,
    End: -1,
  };
  const goal = goals[event.key];
  if (goal === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys.at(goal)?.focus();
}

/** The pointer takes neither the caret nor the selection away. */
function keepCaret(event: MouseEvent) {
  event.preventDefault();
}

function toWords(shortcut: string): string {
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

function draw(path: string): ReactNode {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={styles.drawing}>
      <path d={path} />
    </svg>
  );
}
