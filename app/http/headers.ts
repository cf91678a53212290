/** Returns all headers together. Cookies, unlike other headers, may come more than once. */
export function joinHeaders(...parts: HeadersInit[]): Headers {
  const headers = new Headers();
  for (const part of parts) new Headers(part).forEach((value, name) => headers.append(name, value));
  return headers;
}
