import { InlineScript } from "#app/ui/inline-script.tsx";

declare global {
  interface Window {
    /** Returns what was removed from the page so far, and stops recording; see `restoreTranslatedPage`. */
    takeRemovals?: () => MutationRecord[];
  }
}

/** Records what a translator removes before the page's scripts arrive. */
const SCRIPT = import.meta.env.SSR
  ? `(function () {
  var removals = [];
  var observer = new MutationObserver(function (records) {
    removals.push.apply(removals, records.filter(function (record) { return record.removedNodes.length; }));
  });
  observer.observe(document, { childList: true, subtree: true });
  window.takeRemovals = function () {
    observer.disconnect();
    return removals;
  };
})();`
  : "";

export function TranslationScript() {
  return <InlineScript code={SCRIPT} />;
}
