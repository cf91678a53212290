/** Joins headers. Appends repeated ones, so that all `Set-Cookie` headers are sent. */
export function joinHeaders(...parts: HeadersInit[]): Headers {
  const headers = new Headers();
  for (const part of parts) new Headers(part).forEach((value, name) => headers.append(name, value));
  return headers;
}
