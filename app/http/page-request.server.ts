/** Extensions of downloads. `.md` and `.txt` have routes; the others do not exist. */
const DOWNLOAD = /\.(?:azw3?|docx?|epub|fb2|md|mobi|odt|pdf|rtf|txt|zip)$/i;

/** Extensions of files that pages load. */
const PART_OF_PAGE =
  /\.(?:avif|bmp|css|gif|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|otf|png|svg|ttf|wasm|wav|webm|webmanifest|webp|woff2?|xml)$/i;

/** Whether a name has the extension of a download. */
export function isDownload(name: string): boolean {
  return DOWNLOAD.test(name);
}

/**
 * Whether a request is a navigation, or Remix's request for the data of a page. Anything else is a file.
 *
 * @param arrived the original request, before Remix removed `.data` from its URL
 */
export function isPageRequest({ url, headers }: Request, arrived: Request | undefined): boolean {
  const { pathname } = new URL(url);
  if (/^\/(assets|fonts)\//.test(pathname)) return false;
  if (DOWNLOAD.test(pathname) || PART_OF_PAGE.test(pathname)) return false;
  if (arrived !== undefined && new URL(arrived.url).pathname.endsWith(".data")) return true;
  // Browsers without fetch metadata only send the types that they accept.
  const mode = headers.get("Sec-Fetch-Mode") ?? "navigate";
  const accept = headers.get("Accept") ?? "*/*";
  return mode === "navigate" && /text\/html|\*\/\*/.test(accept) && !/^image\//.test(accept);
}
