import { ImportError, importText, type ImportedText } from "./import-text.ts";
import { describeLosses } from "./losses.ts";

/**
 * Returns the text of a file and what was not kept of it, or a sentence that says why there is none.
 *
 * @param title the title that the story has: another one of the file stays in the text
 */
export function openFile(
  name: string,
  bytes: Uint8Array,
  title: string,
): (ImportedText & { notKept: string[] }) | string {
  try {
    const imported = importText({ name, bytes });
    const { titleText = "" } = imported;
    const isOther = title !== "" && title !== imported.title && titleText !== "";
    const text = isOther ? `${titleText}\n\n${imported.text}` : imported.text;
    return { ...imported, text, notKept: describeLosses(imported.losses, "kept") };
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}
