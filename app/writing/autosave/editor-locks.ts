const EDITOR = "inkglade.editor.";
const OPENING = "inkglade.opening-editor";

/**
 * Opens an editor with the names of all others that are open in this browser, one editor at a time. A browser without the
 * Web Locks API knows of no others.
 *
 * @param open the editor counts as open until `close` is called or its page is gone
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Web_Locks_API
 */
export async function openEditor(
  name: string,
  open: (others: ReadonlySet<string>, close: () => void) => void,
): Promise<void> {
  if (!("locks" in navigator)) return open(new Set(), () => {});
  const { locks } = navigator;
  await locks.request(OPENING, async () => {
    const { held = [], pending = [] } = await locks.query();
    const names = [...held, ...pending].map((lock) => lock.name ?? "");
    const others = names.filter((other) => other.startsWith(EDITOR));
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    void locks.request(EDITOR + name, () => closed);
    open(new Set(others.map((other) => other.slice(EDITOR.length))), close);
  });
}
