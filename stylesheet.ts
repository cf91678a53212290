import { readdirSync } from "node:fs";
import { relative } from "node:path";

import { parse, type AtRule } from "postcss";
import type { Plugin, Rollup } from "vite";

const cssModules = readdirSync("app", { encoding: "utf8", recursive: true })
  .filter((path) => path.endsWith(".module.css"))
  .toSorted();

/** The names of classes and animations of each CSS module, by its index in `cssModules`. */
const namesByFile = new Map<number, string[]>();

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The chunks whose styles are in files of their own: what few people open, and what loads when it is used. */
const OWN_CHUNKS = new Set(["profile", "overlays", "listening", "together", "pictures"]);

/**
 * Bundles the styles into one file and makes it small, because each page waits for it: see docs/decisions/015. Without
 * short names it would be 2.5 KB larger (gzip), with its layers in many blocks 0.8 KB, with WOFF files 0.3 KB.
 */
export const stylesheetPlugin: Plugin = {
  name: "stylesheet",
  apply: "build",
  enforce: "pre",
  config: () => ({
    css: {
      modules: { generateScopedName: toShortName },
      postcss: {
        plugins: [
          {
            postcssPlugin: "woff2",
            // All browsers that know cascade layers load Fontsource's WOFF2 files.
            Once(root) {
              root.walkDecls("src", (declaration) => {
                declaration.value = declaration.value.replace(/,\s*url\([^)]+\.woff\) .+/, "");
              });
            },
          },
        ],
      },
    },
  }),
  generateBundle: {
    order: "pre",
    handler(_, bundle) {
      if (!this.environment.config.build.ssr) mergeStylesheets(this, bundle);
    },
  },
};

/** Returns the number of the CSS module and a letter for each of its names, so no name is used twice. */
function toShortName(name: string, path: string): string {
  const file = cssModules.indexOf(relative("app", path));
  const names = namesByFile.get(file) ?? [];
  namesByFile.set(file, names);
  if (!names.includes(name)) names.push(name);
  const letter = LETTERS[names.indexOf(name)];
  if (file === -1 || letter === undefined) throw new Error(`No short name for ${name} of ${path}`);
  return `_${file}${letter}`;
}

function mergeStylesheets(context: Rollup.PluginContext, bundle: Rollup.OutputBundle): void {
  const sources: string[] = [];
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const own = new Set(
    chunks
      .filter(({ name }) => OWN_CHUNKS.has(name))
      .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
  );
  for (const [fileName, file] of Object.entries(bundle)) {
    if (file.type !== "asset" || !fileName.endsWith(".css")) continue;
    if (own.has(fileName)) {
      file.source = groupByLayer(String(file.source));
      continue;
    }
    sources.push(String(file.source));
    delete bundle[fileName];
  }
  const source = groupByLayer(sources.join(""));
  const fileName = context.getFileName(
    context.emitFile({ type: "asset", name: "styles.css", source }),
  );
  for (const chunk of chunks) {
    const isRoot = chunk.facadeModuleId?.includes("/app/root.tsx");
    const { importedCss } = chunk.viteMetadata ?? {};
    if (!OWN_CHUNKS.has(chunk.name)) importedCss?.clear();
    if (isRoot) importedCss?.add(fileName);
  }
}

/** Merges the blocks of each layer, and puts them after the rules that are in no layer. */
function groupByLayer(css: string): string {
  const root = parse(css);
  root.walkComments((comment) => void comment.remove());
  const layers = new Map<string, AtRule>();
  for (const node of [...root.nodes]) {
    if (node.type !== "atrule" || node.name !== "layer" || !node.nodes) continue;
    const layer = layers.get(node.params) ?? node.clone({ nodes: [] });
    layers.set(node.params, layer);
    layer.append(node.nodes);
    node.remove();
  }
  return root.append(...layers.values()).toString();
}
