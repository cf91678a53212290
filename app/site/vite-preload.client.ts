const fetched = new Set<string>();

/**
 * Replaces Vite's own function, which runs before each dynamic import (vite.config.ts). Fetches the scripts of the
 * import, which then takes them from the browser's cache. Browsers do not repeat an import that has failed, so with
 * Vite's function a script that is missing once is missing until the page is reloaded.
 *
 * @param load the import
 * @param files the paths of its scripts, relative to the site's root
 * @throws when a script cannot be fetched
 */
export async function __vitePreload<Module>(
  load: () => Promise<Module>,
  files: readonly string[],
): Promise<Module> {
  await Promise.all(files.map(fetchScript));
  return await load();
}

async function fetchScript(file: string): Promise<void> {
  if (fetched.has(file)) return;
  const response = await fetch(`/${file}`);
  if (!response.ok) throw new Error(`No script: ${response.status}`);
  // The cache contains the script only once it has been read.
  await response.arrayBuffer();
  fetched.add(file);
}
