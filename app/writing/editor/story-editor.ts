import {
  defaultValueCtx,
  Editor,
  editorViewCtx,
  editorViewOptionsCtx,
  rootCtx,
} from "@milkdown/kit/core";
import { clipboard } from "@milkdown/kit/plugin/clipboard";
import { history, historyProviderPlugin } from "@milkdown/kit/plugin/history";
import { listItemKeymap } from "@milkdown/kit/preset/commonmark";
import { closeHistory } from "@milkdown/kit/prose/history";
import { InputRule, inputRules, smartQuotes } from "@milkdown/kit/prose/inputrules";
import { keymap } from "@milkdown/kit/prose/keymap";
import { Plugin, TextSelection, type EditorState } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { $prose } from "@milkdown/kit/utils";

import { sceneBreaks } from "./story-breaks.ts";
import { findLink, findPicture, removeLink, setLink, typedLinks } from "./story-links.ts";
import { configureMarkdown, StoryMarkdown, storySchema } from "./story-markdown.ts";
import { reservedPlaces, takePlace, type Point, type StoryPlace } from "./story-places.ts";
import { createStoryPaste, type PasteNote } from "./story-paste.ts";
import { selectText, splitItem, STORY_TOOLS, type ToolName } from "./story-tools.ts";

/** The state of the toolbar at the caret. */
export interface CaretState {
  /** The tools whose format is active. */
  on: ToolName[];
  /** The tools that can be used. */
  can: ToolName[];
  link: string | null;
  /** Whether a picture is selected. */
  hasPicture: boolean;
  /** Whether the story is empty. */
  isEmpty: boolean;
}

export interface StoryEditorOptions {
  root: HTMLElement;
  markdown: string;
  /** Called with the text after each change by the user. */
  onWrite: (markdown: string) => void;
  onCaret: (caret: CaretState) => void;
  /** Called when the user presses the shortcut for a link. */
  onLink: () => void;
  onPasteNote: (note: PasteNote | null) => void;
}

/** In pixels. */
const CLEARANCE = { top: 140, bottom: 120, left: 0, right: 0 };

/** Two hyphens at the start of a paragraph may become a scene break. */
const dash = new InputRule(/(?<=[^\s-]\s?)--$/, "—", { inCodeMark: false });

const typography = inputRules({ rules: [...smartQuotes, dash] });

const TOOLS = Object.entries(STORY_TOOLS) as [ToolName, (typeof STORY_TOOLS)[ToolName]][];

/** Milkdown, configured for stories. */
export class StoryEditor {
  readonly milkdown: Editor;
  readonly #options: StoryEditorOptions;
  #markdown: string;
  #story: StoryMarkdown | undefined;
  #isReplacing = false;

  constructor(options: StoryEditorOptions) {
    this.#options = options;
    this.#markdown = options.markdown;
    this.milkdown = Editor.make()
      .config((ctx) => {
        ctx.set(rootCtx, options.root);
        ctx.set(defaultValueCtx, options.markdown);
        configureMarkdown(ctx);
        // Tab leaves the editor, as in any other field.
        ctx.update(listItemKeymap.key, (keys) => ({
          ...keys,
          SinkListItem: { ...keys.SinkListItem, shortcuts: "Mod-]" },
          LiftListItem: { ...keys.LiftListItem, shortcuts: "Mod-[" },
        }));
        ctx.update(editorViewOptionsCtx, (view) => ({
          ...view,
          attributes: {
            role: "textbox",
            "aria-multiline": "true",
            "aria-label": "Your story",
            "data-story": "",
            // Editable elements can be focused without it, but axe requires it in scroll containers.
            tabindex: "0",
          },
          // The caret stays clear of the bars at the top and at the foot of the window.
          scrollThreshold: CLEARANCE,
          scrollMargin: CLEARANCE,
        }));
      })
      .use(sceneBreaks)
      .use($prose(() => keymap(this.#shortcuts())))
      .use(createStoryPaste(options.onPasteNote))
      .use(typedLinks)
      .use(storySchema)
      .use(history)
      .use(clipboard)
      .use($prose(() => reservedPlaces))
      .use($prose(() => new Plugin({ view: () => ({ update: this.#update }) })));
  }

  get view(): EditorView {
    return this.milkdown.ctx.get(editorViewCtx);
  }

  /** Call once Milkdown has been created. */
  start(): void {
    this.#story = new StoryMarkdown(this.milkdown.ctx);
    this.#story.setSource(this.view.state.doc, this.#markdown);
    this.#options.onCaret(describe(this.view.state));
  }

  /**
   * Shows other text. Replaces only the part that differs, so that the caret stays in place elsewhere.
   *
   * @param isUndoable `false` for text that may be from another device, which no undo should take back
   */
  replace(markdown: string, isUndoable: boolean): void {
    if (!this.#story || markdown === this.#markdown) return;
    const { state } = this.view;
    const next = this.#story.read(markdown);
    const start = state.doc.content.findDiffStart(next.content);
    const end = state.doc.content.findDiffEnd(next.content);
    this.#markdown = markdown;
    if (start !== null && end) {
      const overlap = Math.max(0, start - Math.min(end.a, end.b));
      const slice = next.slice(start, end.b + overlap);
      if (!isUndoable) this.#clearHistory();
      // A step of its own: otherwise, one undo takes back all changes of the last half second.
      const tr = closeHistory(this.view.state.tr);
      tr.replace(start, end.a + overlap, slice).setMeta("addToHistory", isUndoable);
      this.#isReplacing = true;
      this.view.dispatch(tr);
      this.#isReplacing = false;
    }
    this.#story.setSource(this.view.state.doc, markdown);
  }

  run(tool: ToolName): void {
    STORY_TOOLS[tool].command(this.view.state, this.view.dispatch, this.view);
    this.view.focus();
  }

  /** Links the selection, or changes or removes the link at the caret. */
  setLink(address: string | null): void {
    const { state } = this.view;
    const tr = address === null ? removeLink(state) : setLink(state, address);
    this.view.dispatch(tr.setSelection(TextSelection.near(tr.selection.$to)));
  }

  /** Returns the place of files that are dropped at a point, or else pasted. */
  takePlace(point: Point | null): StoryPlace {
    return takePlace(this.view, point);
  }

  setTypography(isOn: boolean): void {
    const { state } = this.view;
    const others = state.plugins.filter((plugin) => plugin !== typography);
    this.view.updateState(state.reconfigure({ plugins: isOn ? [...others, typography] : others }));
  }

  focus(): void {
    this.view.focus();
  }

  #clearHistory(): void {
    const { state } = this.view;
    const { plugins } = state;
    // A plugin that is removed and added again starts anew.
    const others = plugins.filter((plugin) => plugin !== historyProviderPlugin.plugin());
    this.view.updateState(state.reconfigure({ plugins: others }).reconfigure({ plugins }));
  }

  #update = (view: EditorView, before: EditorState): void => {
    const { state } = view;
    if (state.doc !== before.doc && this.#story && !this.#isReplacing) {
      this.#markdown = this.#story.write(state.doc);
      this.#options.onWrite(this.#markdown);
    }
    this.#options.onCaret(describe(state));
  };

  #shortcuts() {
    const link = () => {
      this.#options.onLink();
      return true;
    };
    const tools = TOOLS.map(([, { shortcut, command }]) => [shortcut, command] as const);
    return {
      ...Object.fromEntries(tools),
      "Mod-a": selectText,
      "Mod-k": link,
      // Before Milkdown's rules, which read a dash and Enter as the start of a list, here within the item.
      Enter: splitItem,
    };
  }
}

function describe(state: EditorState): CaretState {
  return {
    on: TOOLS.filter(([, { isOn }]) => isOn?.(state)).map(([name]) => name),
    can: TOOLS.filter(([, { command }]) => command(state)).map(([name]) => name),
    link: findLink(state),
    hasPicture: findPicture(state) !== null,
    isEmpty: state.doc.childCount === 1 && state.doc.firstChild?.content.size === 0,
  };
}
