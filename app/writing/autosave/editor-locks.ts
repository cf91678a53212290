import { withLock } from "#app/http/browser-tabs.ts";

const EDITOR_LOCK_PREFIX = "inkglade.editor.";
const OPENING_LOCK = "inkglade.opening-editor";

/**
 * Calls `open` with the names of the other editors that are open in this browser; none without the Web Locks API. Editors
 * open one after the other, so that each one knows those before it.
 *
 * @param open the editor counts as open until it calls `close` or its page is closed
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Web_Locks_API
 */
export async function openEditor(
  name: string,
  open: (others: ReadonlySet<string>, close: () => void) => void,
): Promise<void> {
  await withLock(OPENING_LOCK, async () => {
    const others = await listEditors();
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    void withLock(EDITOR_LOCK_PREFIX + name, () => closed);
    open(others, close);
  });
}

async function listEditors(): Promise<ReadonlySet<string>> {
  try {
    const { held = [], pending = [] } = await navigator.locks.query();
    const names = [...held, ...pending].map((lock) => lock.name ?? "");
    const editors = names.filter((name) => name.startsWith(EDITOR_LOCK_PREFIX));
    return new Set(editors.map((editor) => editor.slice(EDITOR_LOCK_PREFIX.length)));
  } catch {
    return new Set();
  }
}
