/** Returns the normalized namespace of a URL, or `null` when it is missing or invalid. */
export function getNamespace(url: URL): string | null {
  return normalizeNamespace(url.searchParams.get("ns") ?? "");
}

/** Returns the name in lower case, or `null` when it is not a valid namespace. */
export function normalizeNamespace(name: string): string | null {
  return /^[a-z0-9_-]{1,128}$/i.test(name) ? name.toLowerCase() : null;
}
