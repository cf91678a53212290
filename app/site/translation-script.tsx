import { InlineScript } from "#app/ui/inline-script.tsx";

declare global {
  interface Window {
    /** What was removed from the page until now; see `restoreTranslatedPage`. */
    takeRemovals?: () => MutationRecord[];
  }
}

/** Keeps what a translator removes before the page's scripts arrive. */
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
