/** Extensions of files at a story's address. The app offers only `.epub`, `.md`, `.txt` and the picture, `.png`. */
const DOWNLOAD_EXTENSION = /\.(?:azw3?|docx?|epub|fb2|md|mobi|odt|pdf|png|rtf|txt|zip)$/i;

/** Extensions of files that a page loads. */
const PAGE_RESOURCE =
  /\.(?:avif|bmp|css|gif|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|otf|png|svg|ttf|wasm|wav|webm|webmanifest|webp|woff2?|xml)$/i;

/** Whether a name has the extension of a download. */
export function isDownload(name: string): boolean {
  return DOWNLOAD_EXTENSION.test(name);
}

/**
 * Whether a request is for a page or its Remix data, and not for a file. Files are recognized by their extension and by
 * fetch metadata.
 *
 * @param originalRequest the original request, before Remix removed `.data` from its URL
 */
export function isPageRequest(
  { url, headers }: Request,
  originalRequest: Request | undefined,
): boolean {
  const { pathname } = new URL(url);
  if (/^\/(assets|fonts)\//.test(pathname)) return false;
  if (DOWNLOAD_EXTENSION.test(pathname) || PAGE_RESOURCE.test(pathname)) return false;
  if (originalRequest !== undefined && new URL(originalRequest.url).pathname.endsWith(".data"))
    return true;
  // Browsers without fetch metadata only send the types that they accept. Node.js sends a mode, but no destination.
  const isNavigation =
    headers.get("Sec-Fetch-Mode") === "navigate" || !headers.has("Sec-Fetch-Dest");
  const accept = headers.get("Accept") ?? "*/*";
  return isNavigation && /text\/html|\*\/\*/.test(accept) && !/^image\//.test(accept);
}

/** Whether a browser navigates to an address that is meant for scripts. */
export function isDocumentRequest({ headers }: Request): boolean {
  return headers.get("Accept")?.includes("text/html") ?? false;
}

/** Whether a page sent the request for one of its scripts or frames. Only browsers with fetch metadata say so. */
export function isSubrequest({ headers }: Request): boolean {
  const mode = headers.get("Sec-Fetch-Mode") ?? "navigate";
  const destination = headers.get("Sec-Fetch-Dest") ?? "document";
  return mode !== "navigate" || destination !== "document";
}
