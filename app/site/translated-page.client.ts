const TRANSLATION = "FONT";

/**
 * Lets React change a page that the browser translates. Translators put `<font>` elements into the places of text nodes,
 * where React does not find its nodes any more and throws: https://github.com/facebook/react/issues/11538. Here such nodes
 * return to their places before React moves or removes them or inserts before them, and when it changes their text. The
 * translator then translates them again.
 *
 * Call it immediately before hydration, because React compares the page with what the server has rendered.
 *
 * @returns whether the page was translated
 */
export function restoreTranslatedPage(): boolean {
  /** The translations of text nodes that the translator has removed. */
  const translations = new WeakMap<Node, Element>();
  /** The nodes that each translation replaces, in their order. */
  const originals = new WeakMap<Element, Text[]>();
  /** The nodes that React has removed. */
  const removed = new WeakSet<Node>();

  const observer = new MutationObserver(handle);

  function handle(records: readonly MutationRecord[]): void {
    for (const {
      type,
      target,
      addedNodes,
      removedNodes,
      previousSibling,
      nextSibling,
    } of records) {
      if (type === "characterData") restore(target);
      const translation = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
      if (!translation) continue;
      for (const node of removedNodes) {
        if (!(node instanceof Text) || node.isConnected || removed.has(node)) continue;
        translations.set(node, translation);
        originals.set(translation, [...(originals.get(translation) ?? []), node]);
        observer.observe(node, { characterData: true });
      }
    }
  }

  /** Replaces the translation of a node with the nodes that it translates. */
  function restore(node: Node): void {
    const translation = translations.get(node) ?? findOuterTranslation(node);
    if (!translation) return;
    const nodes = originals.get(translation) ?? flatten(translation);
    for (const original of nodes) translations.delete(original);
    translation.replaceWith(...nodes);
  }

  handle(window.takeRemovals?.() ?? []);
  const found = document.querySelectorAll(TRANSLATION);
  for (const { firstChild } of found) {
    if (firstChild && !isTranslation(firstChild)) restore(firstChild);
  }
  observer.observe(document, { childList: true, subtree: true });

  // oxlint-disable-next-line typescript/unbound-method -- each is called with its own `this`
  const { appendChild, insertBefore, removeChild } = Node.prototype;
  Node.prototype.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
    restore(child);
    return appendChild.call<Node, [Child], Child>(this, child);
  };
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    next: Node | null,
  ): Child {
    restore(child);
    if (next) restore(next);
    return insertBefore.call<Node, [Child, Node | null], Child>(this, child, next);
  };
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    restore(child);
    removed.add(child);
    return removeChild.call<Node, [Child], Child>(this, child);
  };
  return found.length > 0;
}

function isTranslation(node: Node | null): node is Element {
  return node?.nodeName === TRANSLATION;
}

/** Returns the outermost of the translations that the node has been moved into. */
function findOuterTranslation(node: Node): Element | undefined {
  let outer: Element | undefined;
  for (let { parentNode } = node; isTranslation(parentNode); { parentNode } = parentNode) {
    outer = parentNode;
  }
  return outer;
}

/** Returns the nodes that have been moved into a translation, which may contain others. */
function flatten(translation: Element): Node[] {
  return [...translation.childNodes].flatMap((node) =>
    isTranslation(node) ? flatten(node) : node,
  );
}
