import { ImportError, importText, type ImportedText } from "./import-text.ts";
import { describeLosses } from "./losses.ts";

/** Returns the text of a file and what was not kept of it, or a sentence that says why there is none. */
export function openFile(
  name: string,
  bytes: Uint8Array,
): (ImportedText & { notKept: string[] }) | string {
  try {
    const imported = importText({ name, bytes });
    return { ...imported, notKept: describeLosses(imported.losses, "kept") };
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}
