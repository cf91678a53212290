/** Returns the namespace of a URL in the one spelling under which databases are kept, or `null`. */
export function getNamespace(url: URL): string | null {
  return normalizeNamespace(url.searchParams.get("ns") ?? "");
}

/** Returns the name in lower case, or `null` when it cannot name a database. */
export function normalizeNamespace(name: string): string | null {
  return /^[a-z0-9_-]{1,128}$/i.test(name) ? name.toLowerCase() : null;
}
