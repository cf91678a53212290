const fetched = new Map<string, Promise<void>>();

/**
 * Runs before each dynamic import, instead of Vite's own function (vite.config.ts). Fetches the scripts of the import, which
 * then takes them from the browser's cache, and adds its style sheets to the page. Firefox 153 and WebKitGTK 2.50 do not
 * repeat an import whose preload has failed, so with Vite's function a script that is missing once would be missing until
 * the page is reloaded.
 *
 * @param load the import
 * @param files the paths of its scripts and style sheets, relative to the site's root; none if the page has them already
 * @throws when one of them cannot be fetched
 */
export async function __vitePreload<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.map(fetchOnce));
  return await load();
}

/** Fetches a file once, even if several imports need it at the same time. */
function fetchOnce(file: string): Promise<void> {
  const fetching = fetched.get(file) ?? fetchFile(file);
  fetched.set(file, fetching);
  return fetching;
}

async function fetchFile(file: string): Promise<void> {
  try {
    if (file.endsWith(".css")) return await addStyleSheet(file);
    const response = await fetch(`/${file}`);
    if (!response.ok) throw new Error(file);
    // The browser caches the script only once its whole body has been read.
    await response.arrayBuffer();
  } catch (error) {
    fetched.delete(file);
    throw error;
  }
}

function addStyleSheet(file: string): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/${file}`;
  document.head.appendChild(link);
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(file));
    });
  });
}
