import { useRef, useState, type RefObject } from "react";

import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { VALUE_REPLACED_EVENT } from "#app/writing/autosave/draft-fields.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { isMarkdown, proseToMarkdown } from "#app/writing/plain-prose.ts";
import styles from "./editor-form.module.css";

/** A text file, which is read as prose or as Markdown. */
interface OpenedFile {
  name: string;
  readings: { prose: string; Markdown: string };
  as: "prose" | "Markdown";
}

/** Opens a text file in the editor, and downloads the editor's text, saved or not. Needs scripts. */
export function StoryFiles({ formRef }: { formRef: RefObject<HTMLFormElement> }) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState("");
  /** The text that a file replaced. */
  const [replaced, setReplaced] = useState<string | null>(null);
  /** The file that can be read in two ways, until the text is changed. */
  const [opened, setOpened] = useState<OpenedFile | null>(null);
  if (!useHydrated()) return null;

  async function open(file: File) {
    const text = await readMarkdown(file);
    const area = findArea(formRef.current);
    if (text === null || !area) {
      setStatus("We can't open that file. It isn't text, or it's too long for a story.");
      return;
    }
    setReplaced(area.value === "" ? null : area.value);
    const readings = { prose: proseToMarkdown(text), Markdown: text };
    const isNamedMarkdown = /\.(?:md|markdown)$/i.test(file.name);
    const as = isNamedMarkdown || isMarkdown(text) ? "Markdown" : "prose";
    if (readings.prose === text.trim()) {
      setOpened(null);
      setStatus(`Opened ${file.name}.`);
      replace(area, text);
    } else show(area, { name: file.name, readings, as });
  }

  function show(area: HTMLTextAreaElement, file: OpenedFile) {
    replace(area, file.readings[file.as]);
    setOpened(file);
    setStatus(`Opened ${file.name} as ${file.as}.`);
  }

  function readOtherwise({ name, readings, as }: OpenedFile) {
    const area = findArea(formRef.current);
    if (area?.value === readings[as]) {
      show(area, { name, readings, as: as === "prose" ? "Markdown" : "prose" });
      return;
    }
    setOpened(null);
    setStatus("You have changed the text since. Open the file again to read it otherwise.");
  }

  function undo() {
    const area = findArea(formRef.current);
    if (area && replaced !== null) replace(area, replaced);
    setReplaced(null);
    setOpened(null);
    setStatus("Previous text restored.");
  }

  return (
    <div className={styles.files}>
      <input
        ref={inputRef}
        type="file"
        hidden
        accept=".md,.markdown,.txt,text/markdown,text/plain"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void open(file);
          // Allows the same file to be opened again.
          target.value = "";
        }}
      />
      <Button variant="quiet" onPress={() => inputRef.current?.click()}>
        Open text file
      </Button>
      <Button variant="quiet" onPress={() => formRef.current && download(formRef.current)}>
        Download as Markdown
      </Button>
      <output className={styles.count}>{status}</output>
      {opened ? (
        <Button variant="quiet" onPress={() => readOtherwise(opened)}>
          {opened.as === "prose" ? "Read as Markdown" : "Treat as prose"}
        </Button>
      ) : null}
      {replaced === null ? null : (
        <Button variant="quiet" onPress={undo}>
          Restore previous text
        </Button>
      )}
    </div>
  );
}

function findArea(form: HTMLFormElement | null): HTMLTextAreaElement | null {
  const area = form?.elements.namedItem("text");
  return area instanceof HTMLTextAreaElement ? area : null;
}

function replace(area: HTMLTextAreaElement, text: string): void {
  area.value = text;
  area.dispatchEvent(new Event(VALUE_REPLACED_EVENT));
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

async function readMarkdown(file: File): Promise<string | null> {
  // UTF-8 takes at most three bytes per UTF-16 unit.
  if (file.size > 3 * MAX_STORY_LENGTH) return null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    const isText = !text.includes("\0") && text.length <= MAX_STORY_LENGTH;
    return isText ? text.replaceAll(/\r\n?/g, "\n") : null;
  } catch {
    return null;
  }
}

function download(form: HTMLFormElement): void {
  const title = form.elements.namedItem("title");
  const value = title instanceof HTMLInputElement ? title.value : "";
  const name = value
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  const text = findArea(form)?.value ?? "";
  const url = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replaceAll(/^-|-$/g, "") || "untitled"}.md`;
  link.click();
  URL.revokeObjectURL(url);
}
