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
  if (!("locks" in navigator)) return open(new Set(), () => {});
  const { locks } = navigator;
  await locks.request(OPENING_LOCK, async () => {
    const { held = [], pending = [] } = await locks.query();
    const names = [...held, ...pending].map((lock) => lock.name ?? "");
    const others = names.filter((other) => other.startsWith(EDITOR_LOCK_PREFIX));
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    void locks.request(EDITOR_LOCK_PREFIX + name, () => closed);
    open(new Set(others.map((other) => other.slice(EDITOR_LOCK_PREFIX.length))), close);
  });
}
