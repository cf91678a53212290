import { useRef, useState, type RefObject } from "react";

import { NEW_PICTURE_PATH } from "#app/pictures/new-picture-path.ts";
import { Button } from "#app/ui/button.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import { IMPORT_FIELD, IMPORT_TYPES, MAX_FILE_BYTES } from "#app/writing/draft.ts";
import type { ImportedText } from "#app/writing/import/import-text.ts";
import styles from "./editor-form.module.css";
import { setFieldValue } from "#app/writing/autosave/draft-fields.ts";

export interface StoryFilesProps {
  formRef: RefObject<HTMLFormElement>;
  /** Called with what was not kept of a file. Without a file, `null`. */
  onOpened: (notKept: string[] | null) => void;
}

type Reading = NonNullable<ImportedText["reading"]>["as"];

/** A text file, which is read as prose or as Markdown. */
interface OpenedFile {
  name: string;
  readings: Record<Reading, string>;
  as: Reading;
}

/** The text and title that a file replaced. The title comes back only while the field still contains `titleSet`. */
interface ReplacedText {
  text: string;
  title: string;
  titleSet: string;
}

/** Opens a file in the editor, and downloads the editor's text, saved or not. Needs scripts. */
export function StoryFiles({ formRef, onOpened }: StoryFilesProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState("");
  const [replaced, setReplaced] = useState<ReplacedText | null>(null);
  /** The text that the last file wrote. */
  const written = useRef<string>();
  /** The file that can be read in two ways, until the text is changed. */
  const [opened, setOpened] = useState<OpenedFile | null>(null);
  if (!useHydrated()) return null;

  async function open(file: File) {
    setStatus(`Opening ${file.name}…`);
    const imported = await readStory(file, formRef.current);
    const area = findArea(formRef.current);
    if (typeof imported === "string" || !area) {
      setStatus(typeof imported === "string" ? imported : "");
      return;
    }
    const { text, reading, notKept } = imported;
    const title = findTitle(formRef.current);
    const isTitled = title?.value.trim() === "" && imported.title !== "";
    if (area.value !== "" || isTitled) {
      const before = title?.value ?? "";
      const own = { text: area.value, title: before, titleSet: before };
      // A file that is opened after another one replaces nothing of the user's.
      const isUnchanged = area.value === written.current;
      setReplaced((last) => ({
        ...((isUnchanged && last) || own),
        ...(isTitled && { titleSet: imported.title }),
      }));
    }
    if (title && isTitled) setFieldValue(title, imported.title);
    if (reading) {
      const { as, otherText } = reading;
      const readings =
        as === "prose"
          ? { prose: text, Markdown: otherText }
          : { prose: otherText, Markdown: text };
      show(area, { name: file.name, readings, as });
    } else {
      setOpened(null);
      setStatus(`Opened ${file.name}.`);
      write(area, text);
    }
    onOpened(notKept.length > 0 ? notKept : null);
  }

  function write(area: HTMLTextAreaElement, text: string) {
    replace(area, text);
    written.current = area.value;
  }

  function show(area: HTMLTextAreaElement, file: OpenedFile) {
    write(area, file.readings[file.as]);
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

  /** Exchanges the texts, so that the other one can be restored too. */
  function undo({ text, title, titleSet }: ReplacedText) {
    const area = findArea(formRef.current);
    const field = findTitle(formRef.current);
    if (!area || !field) return;
    setReplaced({ text: area.value, title: titleSet, titleSet: title });
    replace(area, text);
    if (field.value === titleSet) setFieldValue(field, title);
    setOpened(null);
    onOpened(null);
    setStatus("Previous text restored.");
  }

  return (
    <div className={styles.files}>
      <input
        ref={inputRef}
        type="file"
        hidden
        accept={IMPORT_TYPES}
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
        <Button variant="quiet" onPress={() => undo(replaced)}>
          Restore previous text
        </Button>
      )}
    </div>
  );
}

function findTitle(form: HTMLFormElement | null): HTMLInputElement | null {
  const title = form?.elements.namedItem("title");
  return title instanceof HTMLInputElement ? title : null;
}

function findArea(form: HTMLFormElement | null): HTMLTextAreaElement | null {
  const area = form?.elements.namedItem("text");
  return area instanceof HTMLTextAreaElement ? area : null;
}

function replace(area: HTMLTextAreaElement, text: string): void {
  area.value = text;
  area.dispatchEvent(new Event("change"));
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Returns the text of a file and what was not kept of it, or a sentence that says why it cannot be opened. */
async function readStory(
  file: File,
  form: HTMLFormElement | null,
): Promise<(ImportedText & { notKept: string[] }) | string> {
  if (file.size > MAX_FILE_BYTES.browser) {
    return "That file is larger than 50 MB. Remove its pictures, or save it as plain text (.txt).";
  }
  const reading = file.arrayBuffer().catch(() => null);
  const module = await import("#app/writing/import/open-file.client.ts").catch(() => null);
  if (!module) return "We can't open files right now. Check your connection, then try again.";
  const buffer = await reading;
  if (!buffer)
    return "Your browser can't read that file. Close it in other programs, then try again.";
  const title = findTitle(form)?.value.trim() ?? "";
  return module.openFile(file.name, new Uint8Array(buffer), title);
}

function download(form: HTMLFormElement): void {
  const title = form.elements.namedItem("title");
  const value = title instanceof HTMLInputElement ? title.value : "";
  const name = value
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const text = findArea(form)?.value ?? "";
  const url = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replaceAll(/^-|-$/g, "") || "untitled"}.md`;
  link.click();
  URL.revokeObjectURL(url);
}

/** The file field of the editor's form, for browsers without scripts, and a link to the page that uploads pictures. */
export function ImportField({ canUpload }: { canUpload: boolean }) {
  return (
    <div className={styles.field}>
      <FileField
        label="Import a text"
        description="A Word document (.docx), Markdown, plain text, or a work saved from AO3 or Wattpad (.html), up to 5 MB. It becomes a draft of its own."
        name={IMPORT_FIELD}
        accept={IMPORT_TYPES}
      />
      <Button type="submit" variant="quiet" name="intent" value="import">
        Import
      </Button>
      {canUpload ? (
        <p>
          Save your draft first, then <Link to={NEW_PICTURE_PATH}>upload a picture for it</Link>.
        </p>
      ) : null}
    </div>
  );
}

/** Says that a file was imported, and what was not kept of it. */
export function ImportNotice({ notKept }: { notKept: string[] }) {
  const hint =
    notKept.length > 0 ? (
      <ul>
        {notKept.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    ) : undefined;
  return (
    <MessageBanner
      isDismissable
      severity={notKept.length > 0 ? "warn" : "success"}
      className={styles.notice}
      hint={hint}
    >
      {notKept.length > 0 ? "Imported, but not all of it could be kept." : "Imported."}
    </MessageBanner>
  );
}
