import { useEffect, useRef, useState, type RefObject } from "react";
import { SelectableCollectionContext, useFilter } from "react-aria-components/Autocomplete";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";

import people from "#app/chat/panel/people-popover.module.css";
import { Bdi } from "#app/ui/bdi.tsx";
import menu from "#app/ui/menu.module.css";
import popover from "#app/ui/popover.module.css";
import styles from "./mention-list.module.css";
import { findTypedMention, isTyping, type TypedMention } from "./mentions.ts";

const MAX_NAMES = 6;

/** The distance of the list from the field, and from the edge of the screen, in CSS pixels. */
const GAP = 4;

/** The focus stays in the field, whose keys move through the list. */
const VIRTUAL_FOCUS = { shouldUseVirtualFocus: true, disallowTypeAhead: true };

export interface MentionListProps {
  field: RefObject<HTMLTextAreaElement>;
  /** The names to choose from. */
  names: readonly string[];
}

/**
 * The names that fit the mention that is being typed, above the field. Listens to the field itself, so that the field works
 * without this code, and handles keys before the field does.
 */
export function MentionList({ field, names }: MentionListProps) {
  const { startsWith } = useFilter({ sensitivity: "base", ignorePunctuation: false });
  const [mention, setMention] = useState<(TypedMention & { index: number }) | null>(null);
  const [option, setOption] = useState<Element | null>(null);
  /** The position of the `@` whose list was closed, or whose name was chosen. */
  const closedAt = useRef<number>();
  const matches = mention ? findNames(names, mention.query, startsWith).slice(0, MAX_NAMES) : [];
  const index = mention?.index ?? 0;
  const active = matches[index] ?? matches[0];

  /** Follows the caret. */
  function update() {
    const { current } = field;
    const caret = current?.selectionEnd;
    const isCaret = current === document.activeElement && caret === current?.selectionStart;
    const typed = isCaret && current ? findTypedMention(current.value.slice(0, caret)) : null;
    if (typed?.start !== closedAt.current) closedAt.current = undefined;
    const shown = closedAt.current === undefined ? typed : null;
    setMention((last) => {
      const isSame = shown?.start === last?.start && shown?.query === last?.query;
      return isSame ? last : shown && { ...shown, index: 0 };
    });
  }

  function close() {
    closedAt.current = mention?.start;
    setMention(null);
  }

  function choose(name: string) {
    const { current } = field;
    if (!current || !mention) return;
    const end = mention.start + 1 + mention.query.length;
    current.focus({ preventScroll: true });
    // Replaces a space that follows, because another one is inserted.
    current.setSelectionRange(mention.start, current.value[end] === " " ? end + 1 : end);
    close();
    insertText(current, `@${name} `);
  }

  /** Moves through the list, and from each end to the other. */
  function move(step: number) {
    const next = (index + matches.length + step) % matches.length;
    setMention((last) => last && { ...last, index: next });
  }

  function handleKey(event: KeyboardEvent) {
    // WebKit ends a composition before the Enter that confirms it; only the key code shows that.
    if (active === undefined || event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" || event.key === "Tab") choose(active);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    // The field would send the message, or the room would close.
    event.stopPropagation();
  }

  useEffect(() => {
    const { current } = field;
    const listeners = new AbortController();
    const { signal } = listeners;

    function handleInput(event: Event) {
      if (event.target !== current) return;
      // An input method that is composing narrows the list, but does not open it.
      if (isTyping(event) && (mention || !event.isComposing)) update();
      else setMention(null);
    }

    function handleSelection() {
      if (mention) update();
    }

    current?.addEventListener("keydown", handleKey, { signal });
    // After React has handled the event: a render before that could put the last text back.
    window.addEventListener("input", handleInput, { signal });
    current?.addEventListener("compositionend", update, { signal });
    current?.addEventListener("blur", () => setMention(null), { signal });
    document.addEventListener("selectionchange", handleSelection, { signal });
    return () => listeners.abort();
  });

  // Continues what was typed while the code was loading.
  // oxlint-disable-next-line react/exhaustive-deps -- only once
  useEffect(update, []);

  useEffect(() => {
    const { current } = field;
    if (!current || !option) return undefined;
    const attributes = {
      "aria-autocomplete": "list",
      "aria-controls": option.closest("[role=listbox]")?.id ?? "",
      "aria-activedescendant": option.id,
    };
    for (const [name, value] of Object.entries(attributes)) current.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) current.removeAttribute(name);
    };
  }, [field, option]);

  /** Places the list above the field, as high as there is space. */
  function place(list: HTMLElement | null) {
    const { current } = field;
    const composer = list?.offsetParent;
    if (!list || !current || !composer) return;
    const { top } = current.getBoundingClientRect();
    // An on-screen keyboard moves the visible part of the page.
    const space = top - (window.visualViewport?.offsetTop ?? 0) - 2 * GAP;
    list.style.bottom = `${composer.getBoundingClientRect().bottom - top + GAP}px`;
    list.style.maxHeight = `${space}px`;
  }

  if (active === undefined) return null;
  return (
    <div ref={place} className={`${popover.popover} ${people.popover} ${styles.list}`}>
      <SelectableCollectionContext.Provider value={VIRTUAL_FOCUS}>
        <ListBox
          className={`${people.dialog} ${people.list}`}
          aria-label="People to mention"
          selectionMode="single"
          // Otherwise the rest of the press would go to what is behind the list.
          shouldSelectOnPressUp
          // The field keeps the focus while a name is pressed.
          onMouseDown={(event) => event.preventDefault()}
          selectedKeys={[matches.indexOf(active)]}
          onSelectionChange={(keys) => {
            // Pressing the selected name deselects it.
            const [at] = keys;
            choose(matches[Number(at)] ?? active);
          }}
        >
          {matches.map((name, at) => (
            <ListBoxItem
              key={at}
              // React Aria leaves the spaces out of the element's id, so two names could have the same one.
              id={at}
              ref={name === active ? setOption : null}
              className={menu.item ?? ""}
              textValue={name}
            >
              <Bdi className={people.name}>{name}</Bdi>
            </ListBoxItem>
          ))}
        </ListBox>
      </SelectableCollectionContext.Provider>
    </div>
  );
}

type StartsWith = (text: string, beginning: string) => boolean;

/**
 * Returns the names that begin with what is typed, then those in which a later word does. Ignores case and accents. Returns
 * none once a name is complete: when a space follows it, or when it is the only name left and was typed exactly.
 */
export function findNames(
  names: readonly string[],
  query: string,
  startsWith: StartsWith,
): string[] {
  const typed = query.trimEnd();
  const isComplete = (name: string) => name.length === typed.length && startsWith(name, typed);
  if (typed !== query && names.some(isComplete)) return [];
  const [first, later] = [new Array<string>(), new Array<string>()];
  for (const name of names) {
    if (startsWith(name, query)) first.push(name);
    else if (
      [...name.matchAll(/\s/g)].some(({ index }) => startsWith(name.slice(index + 1), query))
    ) {
      later.push(name);
    }
  }
  const found = [...first, ...later];
  return found.length === 1 && found[0] === query ? [] : found;
}

/** Replaces the selection of a field, as typing does. */
function insertText(field: HTMLTextAreaElement, text: string): void {
  // Unlike `setRangeText`, the user can undo it.
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
