/** Endings of files that readers take away. Those we have, `.md` and `.txt`, have routes of their own. */
const DOWNLOAD = /\.(?:azw3?|docx?|epub|fb2|md|mobi|odt|pdf|rtf|txt|zip)$/i;

/** Endings of files that pages and browsers fetch by themselves. */
const PART_OF_PAGE =
  /\.(?:avif|bmp|css|gif|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|otf|png|svg|ttf|wasm|wav|webm|webmanifest|webp|woff2?|xml)$/i;

/** Whether an address names a file to take away by its ending. */
export function isDownload(name: string): boolean {
  return DOWNLOAD.test(name);
}

/**
 * Whether somebody asks for a page: a browser that goes there, or a page that is open already and asks for its data. What
 * pages fetch besides is a file, and missing where there is none.
 *
 * @param arrived as the request came in, before Remix took `.data` off its address
 */
export function isPageRequest({ url, headers }: Request, arrived: Request | undefined): boolean {
  const { pathname } = new URL(url);
  if (/^\/(assets|fonts)\//.test(pathname)) return false;
  if (DOWNLOAD.test(pathname) || PART_OF_PAGE.test(pathname)) return false;
  if (arrived !== undefined && new URL(arrived.url).pathname.endsWith(".data")) return true;
  // Where browsers do not say what they want, the types that they accept have to tell.
  const mode = headers.get("Sec-Fetch-Mode") ?? "navigate";
  const accept = headers.get("Accept") ?? "*/*";
  return mode === "navigate" && /text\/html|\*\/\*/.test(accept) && !/^image\//.test(accept);
}
