import { InlineScript } from "#app/ui/inline-script.tsx";

/**
 * The features that the scripts cannot do without: where one is missing, no script starts. `npm run check` rejects others
 * that are not widely available.
 */
const NEEDED = ["URL.canParse", "AbortSignal.any", "AbortSignal.timeout", "navigator.locks"];

/** An expression for inline scripts. */
export const IS_SCRIPTING = '"scripting" in document.documentElement.dataset';

/** Marks the page for style sheets, before the first paint. Other browsers keep the page without scripts. */
const SCRIPT = import.meta.env.SSR
  ? `if (${NEEDED.join(" && ")}) document.documentElement.dataset.scripting = "";`
  : "";

/** Comes before all other scripts. */
export function ScriptingScript() {
  return <InlineScript code={SCRIPT} />;
}

/** Returns the props of `<html>`. React renders it in the browser only where scripts run. */
export function getHtmlScriptingProps() {
  return { "data-scripting": import.meta.env.SSR ? undefined : "" };
}
