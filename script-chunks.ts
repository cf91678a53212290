import type { Plugin, Rollup } from "vite";

/** A script file that browsers load. */
interface ScriptChunk {
  name: string;
  /** Its entry modules: routes, and modules that are imported dynamically. */
  entries?: RegExp;
  /** The other chunks that a browser has loaded whenever it loads this one, besides `app`. */
  needs?: string[];
}

/**
 * The script chunks, the most general first. A module is in the chunk whose entries import it; if the entries of
 * several chunks import it, in the last chunk that all of them need. The npm packages of `app` have a chunk of their
 * own, `libraries`.
 */
const CHUNKS: ScriptChunk[] = [
  {
    name: "app",
    entries:
      /\/app\/(?:entry\.client|root)\.tsx$|\/(?:room-summary|readers)\.client\.ts|\/save-button\.tsx|\/sign-out-tasks\.ts/,
  },
  // For pages that are kept offline, after the first interaction.
  { name: "keep", entries: /\/keep\.client\.ts/ },
  // For everyone who opens the room.
  { name: "firestore", entries: /\/messages\.client\.ts/ },
  // For signed-in users: Firebase's Auth and Realtime Database.
  {
    name: "firebase-user",
    entries: /\/(?:presence|counted-reader|user-connection|together)\.client\.ts/,
    needs: ["firestore"],
  },
  { name: "forms" },
  // For the room, the profile and the editor.
  { name: "talk", needs: ["forms"] },
  {
    name: "room",
    entries: /\/(?:open-room|chat-panel|quote-button\.client|story-end-actions)\.tsx/,
    needs: ["forms", "talk"],
  },
  // What the user opens in the room.
  {
    name: "overlays",
    entries: /\/(?:people-popover|message-menu-overlays|mention-list)\.tsx/,
    needs: ["forms", "talk", "room"],
  },
  {
    name: "room-message-actions",
    entries: /\/routes\/(?:room-message-actions|room-appeal)\.tsx/,
    needs: ["forms", "talk", "room"],
  },
  { name: "home", entries: /\/routes\/home\.tsx/ },
  {
    name: "dashboard",
    entries: /\/(?:lazy-section|carousel-motion\.client)\.tsx/,
    needs: ["home"],
  },
  { name: "read", entries: /\/routes\/read\.\$id\.tsx/ },
  {
    name: "reader",
    entries:
      /\/reading\/(?:reader\/|positions\/)?(?:panels|(?:position-tracker|remote-changes|passage-marks|shortcuts)\.client)\.ts/,
    needs: ["read", "keep"],
  },
  { name: "listening", entries: /\/player\.client\.tsx/, needs: ["read", "reader"] },
  {
    name: "together",
    entries: /\/together-dots\.client\.tsx/,
    needs: ["forms", "talk", "firestore", "firebase-user", "read", "reader"],
  },
  { name: "login", entries: /\/routes\/login\.tsx/, needs: ["forms"] },
  { name: "register", entries: /\/routes\/register\.tsx/, needs: ["forms"] },
  { name: "validation", entries: /\/validate-sign-up\.ts/, needs: ["forms", "register"] },
  {
    name: "profile",
    entries: /\/routes\/profile\.tsx|\/answers-list\.client\.tsx/,
    needs: ["forms", "talk"],
  },
  { name: "create", entries: /\/routes\/create\.tsx/, needs: ["forms", "talk", "room"] },
  {
    name: "editor",
    entries: /\/rich-editor\.client\.tsx/,
    needs: ["forms", "talk", "room", "create"],
  },
  {
    name: "pictures",
    entries: /\/story-pictures\.client\.tsx/,
    needs: ["forms", "talk", "room", "create"],
  },
  // Shares what reads HTML with the editor, where text is pasted.
  {
    name: "import",
    entries: /\/open-file\.client\.ts/,
    needs: ["forms", "talk", "room", "create", "editor"],
  },
];

/** Remix expects a chunk for each route, even for those that browsers never load. */
const OTHER_ROUTE = /\/routes\/(?<name>.+)\?__remix-build-client-route$/;

/** An importer, and a module that it imports for the server only. */
const SERVER_IMPORT = /\/collapsible-chat-panel\.tsx .*\/chat-panel\.tsx/;

/** Our replacement of a module of Remix. In `app`, it would make `libraries` and `app` import each other. */
const REPLACED_LIBRARY = /\/site\/route-modules\.client\.ts/;

const ANALYTICS = /\/analytics\.client\.ts|\/@firebase\/(?:analytics|installations)\/|\?analytics$/;
const FIREBASE_CORE = /\/(?:firebase\/app|@firebase\/(?:app|component|logger|util)|idb)\//;

/**
 * Bundles the scripts into a few chunks: a page waits for each of its files, and small files compress badly. No page
 * loads more than ten scripts before something else is opened.
 */
export const scriptChunksPlugin: Plugin = {
  name: "script-chunks",
  enforce: "pre",
  config: (_, { isSsrBuild }) =>
    isSsrBuild
      ? {}
      : {
          build: {
            rollupOptions: {
              output: { manualChunks: getChunkName, onlyExplicitManualChunks: true },
            },
          },
        },
  // Prevents a second chunk for a route whose chunk other chunks import.
  options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
  // Few users allow analytics, so analytics gets its own copy of Firebase's core. A shared copy would need a separate
  // chunk, which everyone else would load.
  resolveId: {
    order: "pre",
    async handler(source, importer, options) {
      if (!importer || !ANALYTICS.test(importer) || options.ssr) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved && FIREBASE_CORE.test(resolved.id) ? `${resolved.id}?analytics` : null;
    },
  },
};

function getChunkName(id: string, { getModuleInfo }: Rollup.ManualChunkMeta): string | undefined {
  // Static imports that only the server runs are removed after the chunks are chosen, so they are ignored here. Their
  // importers also import these modules dynamically.
  const isForServer = (importer: string, imported: string) =>
    SERVER_IMPORT.test(`${importer} ${imported}`) ||
    getModuleInfo(importer)?.dynamicallyImportedIds.includes(imported);

  const ids = new Set([id]);
  for (const imported of ids) {
    for (const importer of getModuleInfo(imported)?.importers ?? []) {
      if (!isForServer(importer, imported)) ids.add(importer);
    }
  }
  const dependents = CHUNKS.filter(({ entries }) =>
    [...ids].some((importer) => entries?.test(importer)),
  );
  if (dependents.length === 0) return OTHER_ROUTE.exec(id)?.groups?.name;

  const shared = CHUNKS.findLast((chunk) =>
    dependents.every(({ name, needs }) => name === chunk.name || needs?.includes(chunk.name)),
  );
  const name = shared?.name ?? "app";
  const isLibrary = !id.includes("/app/") || REPLACED_LIBRARY.test(id);
  return name === "app" && isLibrary ? "libraries" : name;
}
