import { UNSAFE_RemixContext as RemixContext, useMatches } from "@remix-run/react";
import { useContext } from "react";

import { InlineScript } from "#app/ui/inline-script.tsx";

/**
 * The features that the scripts cannot do without: where one is missing, no script starts. `npm run check` rejects others
 * that are not widely available.
 */
const NEEDED = ["URL.canParse", "AbortSignal.any", "AbortSignal.timeout", "navigator.locks"];

/** An expression for inline scripts. */
export const IS_SCRIPTING = '"scripting" in document.documentElement.dataset';

/** Marks the page for style sheets, before the first paint. Other browsers keep the page without scripts. */
const SCRIPTING_SCRIPT = import.meta.env.SSR
  ? `if (${NEEDED.join(" && ")}) document.documentElement.dataset.scripting = "";`
  : "";

/** Comes before all other scripts. */
export function ScriptingScript() {
  return <InlineScript code={SCRIPTING_SCRIPT} />;
}

/** Returns the props of `<html>`. React renders it in the browser only where scripts run. */
export function getHtmlScriptingProps() {
  return { "data-scripting": import.meta.env.SSR ? undefined : "" };
}

declare global {
  interface Window {
    /** Returns what was removed from the page so far, and stops recording; see `restoreTranslatedPage`. */
    takeRemovals?: () => MutationRecord[];
  }
}

/** Records what a translator removes before the page's scripts arrive. */
const TRANSLATION_SCRIPT = import.meta.env.SSR
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
  return <InlineScript code={TRANSLATION_SCRIPT} />;
}

/**
 * Replaces Remix's `<Scripts>`: the browser fetches the scripts after its first paint, so that they do not delay the
 * style sheet, the fonts and the images of the first view. Pages work without them.
 */
export function PageScripts() {
  return <InlineScript code={useCode()} />;
}

/** The browser's build does not contain this code. */
const useCode = import.meta.env.SSR ? usePageCode : () => "";

function usePageCode(): string {
  const context = useContext(RemixContext);
  // `entry.client.tsx` contains the root route.
  const ids = useMatches().flatMap(({ id }) => (id === "root" ? [] : id));
  if (!context) return "";
  // `entry.server.tsx` then adds the loaders' data to the page.
  Object.assign(context.renderMeta ?? {}, { didRenderScripts: true });

  const { entry, routes, hmr } = context.manifest;
  // Set by service-worker.ts. None in development.
  const kept: string[] = import.meta.env.KEPT_SCRIPTS ?? [];
  const [keepScript] = kept;
  const modules = ids.map((id) => routes[id]?.module ?? "");
  const hmrImport = hmr ? `import ${quote(hmr.runtime)};` : "";
  const routeImports = modules.map((file, index) => `import * as r${index} from ${quote(file)};`);
  const entryImport = `import ${quote(entry.module)};`;
  const routeModules = ids.map((id, index) => `${quote(id)}:r${index}`);
  const code = [
    hmrImport,
    ...routeImports,
    // Static, so that the script fails as a whole. It hydrates only after the next line, because it waits for the data.
    entryImport,
    `Object.assign(window.__remixRouteModules,{${routeModules.join()}});`,
    keepScript ? `(${KEEP})(()=>import(${quote(keepScript)}))` : "",
  ].join("");
  const files = [entry.module, ...entry.imports, ...modules];
  const preloads = new Set([...files, ...ids.flatMap((id) => routes[id]?.imports ?? [])]);
  const tags = [...new Set([...preloads, ...kept])].map((file) => `<link href="${file}">`);

  return [
    // Remix has already escaped it for a script.
    `window.__remixContext=${context.serverHandoffString};`,
    // Inline, instead of the separate file in Remix's build.
    `window.__remixManifest=${JSON.stringify(context.manifest)};`,
    "window.__remixRouteModules={};",
    // Zod's setting for strict policies, before any schema. Otherwise it tries `new Function`, which browsers report.
    "window.__zod_globalConfig={jitless:true};",
    "__remixContext.stream=new ReadableStream({",
    "start(controller){__remixContext.streamController=controller}",
    "}).pipeThrough(new TextEncoderStream());",
    `(${START})(${quote([...preloads])},${quote(code)},document.currentScript.nonce);`,
    // kept-pages.ts finds the files of a page in its tags.
    `/*${tags.join("")}*/`,
  ].join("");
}

/**
 * Runs in the browser. Starts the scripts after the first paint: in a task that is queued in the first animation frame. A
 * tab in the background has no frames, so there it starts at once. In a browser that is too old for the scripts, or that
 * can't fetch them, the page becomes the one without scripts.
 */
const START = `function (files, code, nonce) {
  function showPlainPage() {
    const { dataset } = document.documentElement;
    delete dataset.scripting;
    delete dataset.room;
    for (const tool of document.querySelectorAll("[data-listen]")) tool.hidden = true;
    for (const noscript of document.querySelectorAll("noscript")) noscript.outerHTML = noscript.textContent;
  }
  if (!(${IS_SCRIPTING})) return showPlainPage();
  function start() {
    document.removeEventListener("visibilitychange", start);
    if (!code) return;
    for (const href of files) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "modulepreload", href, fetchPriority: "low" });
      document.head.append(link);
    }
    const script = document.createElement("script");
    Object.assign(script, { type: "module", nonce, textContent: code, onerror: showPlainPage });
    document.head.append(script);
    code = "";
  }
  if (document.hidden) return start();
  document.addEventListener("visibilitychange", start);
  requestAnimationFrame(() => setTimeout(start));
}`;

/**
 * Runs in the browser. Loads the script that keeps pages for offline use when the user first interacts with the page, or at
 * once on a page with a note that it is not the newest.
 */
const KEEP = `function (load) {
  let start = () => {
    start = () => {};
    load().catch(() => {});
  };
  if (document.querySelector("[data-outdated-note]:not(:empty)")) return start();
  for (const type of ["scroll", "keydown", "pointerdown"])
    addEventListener(type, () => start(), { once: true, passive: true, capture: true });
}`;

function quote(value: string | string[]): string {
  return JSON.stringify(value);
}
